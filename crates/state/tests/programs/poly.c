// Polynomials as sorted lists of terms: adds terms `coefficient:exponent`, prints the sum and its value at 2.
// pass: 2:4 5:2 4:1 7:0 -7:0
// fail: 2:4 7:3 5:2 4:1 -7:3
// fault: lost list element
// place: print_polynomial
// variable: (first|term)->next$
// transfer: polynomial->first->next = 0
#include <stdio.h>
#include <stdlib.h>

struct term {
    int coefficient;
    int exponent;
    struct term *next;
};

struct polynomial {
    struct term *first;
};

struct limits {
    int most_terms;
    int highest;
};

static void die(const char *reason, const char *text) {
    fprintf(stderr, "%s: %s\n", reason, text);
    exit(2);
}

static struct term *new_term(int coefficient, int exponent, struct term *next) {
    struct term *term = malloc(sizeof *term);
    if (term == NULL) {
        die("out of memory", "term");
    }
    term->coefficient = coefficient;
    term->exponent = exponent;
    term->next = next;
    return term;
}

static struct term *last_above(struct term *first, int exponent) {
    struct term *above = NULL;
    for (struct term *term = first; term != NULL && term->exponent > exponent; term = term->next) {
        above = term;
    }
    return above;
}

static void put_behind(struct polynomial *polynomial, struct term *above, int coefficient, int exponent) {
    if (above == NULL) {
        polynomial->first = new_term(coefficient, exponent, polynomial->first);
    } else {
        above->next = new_term(coefficient, exponent, above->next);
    }
}

static void cancel(struct polynomial *polynomial, struct term *above, struct term *term) {
    if (above == NULL) {
        polynomial->first = term->next;
    } else {
        above->next = NULL; // FAULT: = term->next, the terms behind stay
    }
    free(term);
}

static void add(struct polynomial *polynomial, int coefficient, int exponent) {
    struct term *above = last_above(polynomial->first, exponent);
    struct term *term = above == NULL ? polynomial->first : above->next;
    if (term == NULL || term->exponent != exponent) {
        put_behind(polynomial, above, coefficient, exponent);
        return;
    }
    term->coefficient += coefficient;
    if (term->coefficient == 0) {
        cancel(polynomial, above, term);
    }
}

static void read_term(const char *text, int *coefficient, int *exponent) {
    char *end = NULL;
    *coefficient = (int)strtol(text, &end, 10);
    if (end == text || *end != ':' || *coefficient == 0) {
        die("not a term", text);
    }
    *exponent = (int)strtol(end + 1, &end, 10);
    if (*end != '\0' || *exponent < 0 || *exponent > 20) {
        die("not an exponent", text);
    }
}

static int degree(const struct polynomial *polynomial) {
    return polynomial->first == NULL ? 0 : polynomial->first->exponent;
}

static int is_descending(const struct polynomial *polynomial) {
    const struct term *term = polynomial->first;
    while (term != NULL && term->next != NULL) {
        if (term->exponent <= term->next->exponent) {
            return 0;
        }
        term = term->next;
    }
    return 1;
}

static int has_zero(const struct polynomial *polynomial) {
    for (const struct term *term = polynomial->first; term != NULL; term = term->next) {
        if (term->coefficient == 0) {
            return 1;
        }
    }
    return 0;
}

static void check(const struct polynomial *polynomial, const struct limits *limits) {
    if (!is_descending(polynomial) || has_zero(polynomial)) {
        die("not a sorted polynomial", "check the terms");
    }
    if (degree(polynomial) > limits->highest) {
        die("too high", "20 is the highest exponent");
    }
}

static void print_term(const struct term *term, int is_first) {
    if (!is_first || term->coefficient < 0) {
        printf(term->coefficient < 0 ? " - " : " + ");
    }
    printf("%d", abs(term->coefficient));
    if (term->exponent > 0) {
        printf("x");
    }
    if (term->exponent > 1) {
        printf("^%d", term->exponent);
    }
}

static long power(long base, int exponent) {
    long result = 1;
    for (int i = 0; i < exponent; i++) {
        result *= base;
    }
    return result;
}

static long value_at(const struct polynomial *polynomial, long x) {
    long sum = 0;
    for (const struct term *term = polynomial->first; term != NULL; term = term->next) {
        sum += term->coefficient * power(x, term->exponent);
    }
    return sum;
}

static void print_polynomial(const struct polynomial *polynomial) {
    for (const struct term *term = polynomial->first; term != NULL; term = term->next) {
        print_term(term, term == polynomial->first);
    }
    printf("\nat 2: %ld\n", value_at(polynomial, 2));
}

static void release(struct polynomial *polynomial) {
    while (polynomial->first != NULL) {
        struct term *term = polynomial->first;
        polynomial->first = term->next;
        free(term);
    }
}

int main(int argc, char **argv) {
    struct polynomial polynomial = {NULL};
    struct limits limits = {argc - 1, 20};
    if (argc < 2) {
        die("usage", "poly COEFFICIENT:EXPONENT...");
    }
    for (int i = 1; i < argc; i++) {
        int coefficient = 0;
        int exponent = 0;
        read_term(argv[i], &coefficient, &exponent);
        add(&polynomial, coefficient, exponent);
    }
    check(&polynomial, &limits);
    printf("degree %d of at most %d terms\n", degree(&polynomial), limits.most_terms);
    print_polynomial(&polynomial);
    release(&polynomial);
    return 0;
}
