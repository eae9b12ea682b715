/* Prints jobs in the order of their urgency: jobs 3:wash 1:cook 2:shop */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
    int urgency;
    const char *name;
    struct job *next;
};

static struct job *jobs;

static struct job *parse(const char *text)
{
    struct job *job = malloc(sizeof *job);
    const char *colon = strchr(text, ':');
    job->urgency = atoi(text);
    job->name = colon ? colon + 1 : text;
    job->next = NULL;
    return job;
}

static void insert(struct job *job)
{
    struct job **at = &jobs;
    while (*at && (*at)->urgency < job->urgency)
        at = &(*at)->next;
    if (*at && (*at)->urgency == job->urgency)
        return;
    job->next = *at;
    *at = job;
}

static void print(void)
{
    for (struct job *job = jobs; job; job = job->next)
        printf("%s ", job->name);
    printf("\n");
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        insert(parse(argv[i]));
    print();
    return 0;
}
