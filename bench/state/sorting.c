/* A small program whose altered runs are counted: shell sort of its arguments, with a seeded fault: it sorts one number too many. */
#include <stdio.h>
#include <stdlib.h>

static void shell_sort(int numbers[], int size) {
    int gap = 1;
    while (gap <= size / 3)
        gap = gap * 3 + 1;
    for (; gap > 0; gap /= 3)
        for (int i = gap; i < size; i++) {
            int number = numbers[i], j = i;
            for (; j >= gap && numbers[j - gap] > number; j -= gap)
                numbers[j] = numbers[j - gap];
            numbers[j] = number;
        }
}

int main(int argc, char **argv) {
    int *numbers = calloc(argc, sizeof *numbers);
    for (int i = 0; i < argc - 1; i++)
        numbers[i] = atoi(argv[i + 1]);
    shell_sort(numbers, argc);
    for (int i = 0; i < argc - 1; i++)
        printf("%d ", numbers[i]);
    printf("\n");
    free(numbers);
    return 0;
}
