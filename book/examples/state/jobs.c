/* Prints jobs in the order of their urgency, and how many hours they take: jobs 3:wash:2 1:cook:1 2:shop:1 */
#include <stdio.h>
#include <stdlib.h>

struct job {
    int urgency;
    int hours;
    char name[16];
};

static struct job jobs[20];
static int count;

static struct job parse(const char *text)
{
    struct job job = { 0 };
    sscanf(text, "%d:%15[^:]:%d", &job.urgency, job.name, &job.hours);
    return job;
}

static void insert(struct job job)
{
    int at = 0;
    while (at < count && jobs[at].urgency < job.urgency)
        at++;
    if (at == count || jobs[at].urgency != job.urgency) {
        for (int i = count; i > at; i--)
            jobs[i] = jobs[i - 1];
        count++;
    }
    jobs[at] = job;
}

static int total(void)
{
    int hours = 0;
    for (int i = 0; i < count; i++)
        hours += jobs[i].hours;
    return hours;
}

static void print(int hours)
{
    printf("%d hours:", hours);
    for (int i = 0; i < count; i++)
        printf(" %s", jobs[i].name);
    printf("\n");
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc && count < 20; i++)
        insert(parse(argv[i]));
    print(total());
    return 0;
}
