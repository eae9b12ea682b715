// An emergency ward: patients wait in a heap by urgency; some are treated, then the next one is called.
// pass: 2 3 14 8 20 31
// fail: 2 3 8 14 20 31
// fault: off by one
// place: call_next
// variable: slots\[0\](->urgency)?$
// transfer: heap->slots[0] = heap->slots[1]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PATIENTS = 32, MOST_URGENT = 40 };

struct patient {
    int urgency;
    int arrival;
    char name;
};

struct heap {
    struct patient *slots[MOST_PATIENTS];
    int size;
    struct patient records[MOST_URGENT + 1];
};

struct day {
    int treated;
    int waited;
    int clock;
};

static void die(const char *reason) {
    fprintf(stderr, "%s\n", reason);
    exit(2);
}

static struct patient *new_record(struct heap *heap, int urgency, int arrival) {
    struct patient *patient = &heap->records[urgency];
    if (patient->urgency != 0) {
        die("two patients are as urgent as each other");
    }
    patient->urgency = urgency;
    patient->arrival = arrival;
    patient->name = (char)('A' + arrival - 2);
    return patient;
}

static int parent_of(int at) {
    return (at - 1) / 2;
}

static int left_of(int at) {
    return 2 * at + 1;
}

static int precedes(const struct heap *heap, int a, int b) {
    return heap->slots[a]->urgency < heap->slots[b]->urgency;
}

static void exchange(struct heap *heap, int a, int b) {
    struct patient *patient = heap->slots[a];
    heap->slots[a] = heap->slots[b];
    heap->slots[b] = patient;
}

static void rise(struct heap *heap, int at) {
    while (at > 0 && precedes(heap, at, parent_of(at))) {
        exchange(heap, at, parent_of(at));
        at = parent_of(at);
    }
}

static void sink(struct heap *heap, int at) {
    while (left_of(at) < heap->size) {
        int left = left_of(at);
        int right = left + 1;
        int child = right < heap->size - 1 && precedes(heap, right, left) ? right : left; // FAULT: right < heap->size
        if (!precedes(heap, child, at)) {
            break;
        }
        struct patient *patient = heap->slots[at];
        heap->slots[at] = heap->slots[child];
        heap->slots[child] = patient;
        at = child;
    }
}

static void insert(struct heap *heap, struct patient *patient) {
    if (heap->size == MOST_PATIENTS) {
        die("the waiting room is full");
    }
    heap->slots[heap->size] = patient;
    rise(heap, heap->size++);
}

static struct patient *remove_first(struct heap *heap) {
    struct patient *first = heap->slots[0];
    heap->size--;
    heap->slots[0] = heap->slots[heap->size];
    heap->slots[heap->size] = NULL;
    sink(heap, 0);
    return first;
}

static void admit(struct heap *heap, const char *text, int arrival) {
    char *end = NULL;
    long urgency = strtol(text, &end, 10);
    if (*end != '\0' || urgency < 1 || urgency > MOST_URGENT) {
        die("an urgency is a number from 1 to 40");
    }
    insert(heap, new_record(heap, (int)urgency, arrival));
}

static void treat(struct heap *heap, struct day *day) {
    struct patient *patient = remove_first(heap);
    day->treated++;
    day->clock += 10 + patient->urgency % 5;
    day->waited += day->clock - patient->arrival;
    patient->name = '-';
}

static char next_room(const struct heap *heap) {
    return (char)('K' + heap->slots[0]->urgency % 4);
}

static int occupied(const struct heap *heap) {
    int occupied = 0;
    for (int i = 0; i < MOST_PATIENTS; i++) {
        occupied += heap->slots[i] != NULL;
    }
    return occupied;
}

static void review(const struct heap *heap, const struct day *day) {
    if (occupied(heap) != heap->size) {
        die("somebody got lost");
    }
    if (day->treated + heap->size > MOST_PATIENTS) {
        die("somebody came twice");
    }
}

static void print_day(const struct day *day) {
    printf("%d treated in %d minutes\n", day->treated, day->clock);
}

static void call_next(const struct heap *heap) {
    char line[64];
    if (heap->size == 0) {
        strcpy(line, "nobody is waiting");
    } else {
        snprintf(line, sizeof line, "next: urgency %d, room %c", heap->slots[0]->urgency, next_room(heap));
    }
    puts(line);
}

static void send_home(struct heap *heap) {
    for (int i = 0; i < heap->size; i++) {
        heap->slots[i] = NULL;
    }
    heap->size = 0;
}

int main(int argc, char **argv) {
    static struct heap heap;
    struct day day = {0, 0, 0};
    if (argc < 3) {
        die("usage: heapq TREATED URGENCY...");
    }
    int treated = atoi(argv[1]);
    for (int i = 2; i < argc; i++) {
        admit(&heap, argv[i], i);
    }
    while (day.treated < treated && heap.size > 0) {
        treat(&heap, &day);
    }
    review(&heap, &day);
    print_day(&day);
    call_next(&heap);
    send_home(&heap);
    return 0;
}
