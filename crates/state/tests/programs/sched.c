// A scheduler with a queue ordered by deadline: `name:deadline` for each job; prints the order and who comes too late.
// pass: boil:2 rinse:4 wash:6
// fail: boil:2 wash:6 rinse:4
// fault: lost list element
// place: print_plan
// variable: next->next$
// transfer: queue->first->next->next = 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
    char name[12];
    int deadline;
    int effort;
    struct job *next;
};

struct queue {
    struct job *first;
    int clock;
};

static void fail_with(const char *what, const char *which) {
    fprintf(stderr, "%s: %s\n", what, which);
    exit(2);
}

static int effort_of(const char *name) {
    int effort = (int)strlen(name) / 2;
    return effort < 1 ? 1 : effort;
}

static struct job *new_job(const char *name, size_t length, int deadline) {
    struct job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        fail_with("out of memory for", name);
    }
    memcpy(job->name, name, length);
    job->deadline = deadline;
    job->effort = effort_of(job->name);
    return job;
}

static struct job *read_job(const char *text) {
    const char *colon = strchr(text, ':');
    if (colon == NULL || colon == text || (size_t)(colon - text) >= sizeof(((struct job *)0)->name)) {
        fail_with("not a job", text);
    }
    int deadline = atoi(colon + 1);
    if (deadline <= 0) {
        fail_with("not a deadline", colon + 1);
    }
    return new_job(text, (size_t)(colon - text), deadline);
}

static struct job *place_before(const struct queue *queue, int deadline) {
    struct job *previous = NULL;
    for (struct job *job = queue->first; job != NULL && job->deadline <= deadline; job = job->next) {
        previous = job;
    }
    return previous;
}

static void link_behind(struct job *previous, struct job *job) {
    struct job *rest = previous->next;
    job->next = rest == NULL ? NULL : rest->next; // FAULT: job->next = rest, else the next one is lost
    previous->next = job;
}

static void enqueue(struct queue *queue, struct job *job) {
    struct job *previous = place_before(queue, job->deadline);
    if (previous == NULL) {
        job->next = queue->first;
        queue->first = job;
    } else {
        link_behind(previous, job);
    }
}

static int is_ordered(const struct queue *queue) {
    for (const struct job *job = queue->first; job != NULL && job->next != NULL; job = job->next) {
        if (job->deadline > job->next->deadline) {
            return 0;
        }
    }
    return 1;
}

static void tick(struct queue *queue, int amount) {
    queue->clock += amount;
}

static int start_up(struct queue *queue) {
    static const char *const chores[] = {"light", "water", "soap"};
    int steps = 0;
    for (size_t i = 0; i < sizeof chores / sizeof chores[0]; i++) {
        if (effort_of(chores[i]) > 1) {
            steps++;
        }
    }
    tick(queue, steps / 3);
    return steps;
}

static int is_known(const struct queue *queue, const char *name) {
    for (const struct job *job = queue->first; job != NULL; job = job->next) {
        if (strcmp(job->name, name) == 0) {
            return 1;
        }
    }
    return 0;
}

static const struct job *longest(const struct queue *queue) {
    const struct job *found = queue->first;
    for (const struct job *job = queue->first; job != NULL; job = job->next) {
        if (job->effort > found->effort) {
            found = job;
        }
    }
    return found;
}

static int total_effort(const struct queue *queue) {
    int total = 0;
    for (const struct job *job = queue->first; job != NULL; job = job->next) {
        total += job->effort;
    }
    return total;
}

static int is_late(const struct job *job, int finished) {
    return finished > job->deadline;
}

static void print_job(const struct job *job, int begin, int end) {
    printf("%2d-%2d %-8s%s\n", begin, end, job->name, is_late(job, end) ? " too late" : "");
}

static void print_plan(const struct queue *queue) {
    int clock = queue->clock;
    int late = 0;
    for (const struct job *job = queue->first; job != NULL; job = job->next) {
        int end = clock + job->effort;
        print_job(job, clock, end);
        late += is_late(job, end);
        clock = end;
    }
    printf("done at %d, %d too late\n", clock, late);
    printf("the longest of %d hours is %s\n", total_effort(queue), longest(queue)->name);
}

static void release(struct queue *queue) {
    while (queue->first != NULL) {
        struct job *job = queue->first;
        queue->first = job->next;
        free(job);
    }
}

int main(int argc, char **argv) {
    struct queue queue = {NULL, 0};
    if (argc < 2) {
        fail_with("usage", "sched NAME:DEADLINE...");
    }
    for (int i = 1; i < argc; i++) {
        struct job *job = read_job(argv[i]);
        if (is_known(&queue, job->name)) {
            fail_with("twice the same job", job->name);
        }
        enqueue(&queue, job);
    }
    if (!is_ordered(&queue)) {
        fail_with("the queue is in disorder at", queue.first->name);
    }
    int steps = start_up(&queue);
    printf("started in %d steps\n", steps);
    print_plan(&queue);
    release(&queue);
    return 0;
}
