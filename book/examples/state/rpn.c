/* A calculator that reads operators behind their operands, a sum on each line: 1 4 2 / + */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct number {
    double value;
    struct number *below;
};

static struct number *top;

static void push(double value)
{
    struct number *number = malloc(sizeof *number);
    number->value = value;
    number->below = top;
    top = number;
}

static double pop(void)
{
    struct number *number = top;
    double value = number->value;
    top = number->below;
    free(number);
    return value;
}

static void divide(void)
{
    double divisor = pop(), dividend = pop();
    if (divisor == 0)
        return;
    push(dividend / divisor);
}

static void add(void)
{
    double second = pop(), first = pop();
    push(first + second);
}

static void evaluate(char *line)
{
    for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
        if (strcmp(word, "/") == 0)
            divide();
        else if (strcmp(word, "+") == 0)
            add();
        else
            push(atof(word));
    }
    printf("%g\n", pop());
}

int main(void)
{
    char line[80];
    while (fgets(line, sizeof line, stdin))
        evaluate(line);
    return 0;
}
