// An evaluator of expressions with + - * / % and parentheses: reads a tree, measures it, evaluates it.
// pass: 2+17*(9-4)
// fail: 2+17%(9-4)
// fault: wrong enum variant
// place: print_report
// variable: right->operator$
// transfer: root->right->operator = DIVIDED_BY
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum kind { NUMBER, OPERATION };

enum operator { PLUS, MINUS, TIMES, DIVIDED_BY, MODULO };

struct node {
    enum kind kind;
    enum operator operator;
    long number;
    struct node *left;
    struct node *right;
};

struct reader {
    const char *text;
    size_t position;
    int errors;
};

struct measure {
    int nodes;
    int depth;
};

static struct node *read_sum(struct reader *reader);

static struct node *new_node(enum kind kind) {
    struct node *node = calloc(1, sizeof *node);
    if (node == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    node->kind = kind;
    return node;
}

static struct node *new_operation(enum operator operator, struct node *left, struct node *right) {
    struct node *node = new_node(OPERATION);
    node->operator = operator;
    node->left = left;
    node->right = right;
    return node;
}

static char peek(const struct reader *reader) {
    return reader->text[reader->position];
}

static char advance(struct reader *reader) {
    char letter = peek(reader);
    if (letter != '\0') {
        reader->position++;
    }
    return letter;
}

static struct node *read_number(struct reader *reader) {
    struct node *node = new_node(NUMBER);
    while (isdigit((unsigned char)peek(reader))) {
        node->number = node->number * 10 + (advance(reader) - '0');
    }
    return node;
}

static struct node *read_factor(struct reader *reader) {
    if (peek(reader) == '(') {
        advance(reader);
        struct node *inner = read_sum(reader);
        if (advance(reader) != ')') {
            reader->errors++;
        }
        return inner;
    }
    if (!isdigit((unsigned char)peek(reader))) {
        reader->errors++;
    }
    return read_number(reader);
}

static int is_product(char letter) {
    return letter == '*' || letter == '/' || letter == '%';
}

static struct node *read_product(struct reader *reader) {
    struct node *left = read_factor(reader);
    while (is_product(peek(reader))) {
        char letter = advance(reader);
        struct node *right = read_factor(reader);
        struct node *product = new_operation(TIMES, left, right);
        if (letter != '*') {
            product->operator = DIVIDED_BY; // FAULT: MODULO if the letter is '%'
        }
        left = product;
    }
    return left;
}

static struct node *read_sum(struct reader *reader) {
    struct node *left = read_product(reader);
    while (peek(reader) == '+' || peek(reader) == '-') {
        enum operator operator = advance(reader) == '+' ? PLUS : MINUS;
        left = new_operation(operator, left, read_product(reader));
    }
    return left;
}

static int deeper(int a, int b) {
    return a > b ? a : b;
}

static int measure(const struct node *node, struct measure *sum) {
    if (node == NULL) {
        return 0;
    }
    sum->nodes++;
    return 1 + deeper(measure(node->left, sum), measure(node->right, sum));
}

static long divide(long a, long b, int wants_rest) {
    if (b == 0) {
        fprintf(stderr, "division by zero\n");
        exit(1);
    }
    return wants_rest ? a % b : a / b;
}

static long evaluate(const struct node *node) {
    if (node->kind == NUMBER) {
        return node->number;
    }
    long a = evaluate(node->left);
    long b = evaluate(node->right);
    switch (node->operator) {
    case PLUS:
        return a + b;
    case MINUS:
        return a - b;
    case TIMES:
        return a * b;
    case DIVIDED_BY:
        return divide(a, b, 0);
    case MODULO:
        return divide(a, b, 1);
    }
    return 0;
}

static void print_report(const struct node *root, const struct measure *size) {
    printf("value: %ld\n", evaluate(root));
    printf("nodes: %d, depth: %d\n", size->nodes, size->depth);
}

static void free_tree(struct node *node) {
    if (node != NULL) {
        free_tree(node->left);
        free_tree(node->right);
        free(node);
    }
}

int main(int argc, char **argv) {
    struct measure size = {0, 0};
    struct reader reader = {NULL, 0, 0};
    if (argc != 2) {
        fprintf(stderr, "usage: %s EXPRESSION\n", argv[0]);
        return 2;
    }
    reader.text = argv[1];
    struct node *root = read_sum(&reader);
    if (reader.errors > 0 || peek(&reader) != '\0') {
        fprintf(stderr, "not an expression: %s\n", argv[1]);
        free_tree(root);
        return 2;
    }
    size.depth = measure(root, &size);
    print_report(root, &size);
    free_tree(root);
    return 0;
}
