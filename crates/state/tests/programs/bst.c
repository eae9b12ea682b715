// A search tree of numbers: `50` inserts, `-50` removes; measures the tree and prints its height and its leaves.
// pass: 50 30 80 70 -50
// fail: 50 30 70 80 -50
// fault: cycle
// place: print_shape
// variable: root->right$
// transfer: tree->root->right = tree->root
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *left;
    struct node *right;
};

struct tree {
    struct node *root;
    int size;
};

struct journal {
    int inserted;
    int removed;
    int refused;
};

static void die(const char *reason) {
    fprintf(stderr, "%s\n", reason);
    exit(2);
}

static struct node *new_node(int key) {
    struct node *node = calloc(1, sizeof *node);
    if (node == NULL) {
        die("out of memory");
    }
    node->key = key;
    return node;
}

static struct node **link_to(struct tree *tree, int key) {
    struct node **link = &tree->root;
    while (*link != NULL && (*link)->key != key) {
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    }
    return link;
}

static int insert(struct tree *tree, int key) {
    struct node **link = link_to(tree, key);
    if (*link != NULL) {
        return 0;
    }
    *link = new_node(key);
    tree->size++;
    return 1;
}

static struct node *parent_of_smallest(struct node *top) {
    struct node *parent = top;
    while (parent->left != NULL && parent->left->left != NULL) {
        parent = parent->left;
    }
    return parent;
}

static struct node *take_successor(struct node *node) {
    struct node *parent = parent_of_smallest(node->right);
    if (parent->left == NULL) {
        return parent;
    }
    struct node *successor = parent->left;
    parent->left = successor->right;
    return successor;
}

static struct node *without_root(struct node *node) {
    if (node->left == NULL) {
        return node->right;
    }
    if (node->right == NULL) {
        return node->left;
    }
    struct node *successor = take_successor(node);
    successor->left = node->left;
    successor->right = node->right; // FAULT: only if successor != node->right, else it becomes its own child
    return successor;
}

static int remove_key(struct tree *tree, int key) {
    struct node **link = link_to(tree, key);
    struct node *node = *link;
    if (node == NULL) {
        return 0;
    }
    *link = without_root(node);
    tree->size--;
    free(node);
    return 1;
}

static void obey(struct tree *tree, struct journal *journal, const char *text) {
    char *end = NULL;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number == 0) {
        die("not a number");
    }
    if (number > 0 && insert(tree, (int)number)) {
        journal->inserted++;
    } else if (number < 0 && remove_key(tree, (int)-number)) {
        journal->removed++;
    } else {
        journal->refused++;
    }
}

static void check(const struct tree *tree, const struct journal *journal) {
    if (journal->inserted - journal->removed != tree->size) {
        die("the tree lost count");
    }
}

static int smallest(const struct tree *tree) {
    const struct node *node = tree->root;
    while (node->left != NULL) {
        node = node->left;
    }
    return node->key;
}

static void print_journal(const struct journal *journal) {
    printf("%d inserted, %d removed", journal->inserted, journal->removed);
    if (journal->refused > 0) {
        printf(", %d refused", journal->refused);
    }
    putchar('\n');
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

static int height(const struct node *node) {
    if (node == NULL) {
        return 0;
    }
    return 1 + larger(height(node->left), height(node->right));
}

static int leaves(const struct node *node) {
    if (node == NULL) {
        return 0;
    }
    if (node->left == NULL && node->right == NULL) {
        return 1;
    }
    return leaves(node->left) + leaves(node->right);
}

static void print_shape(const struct tree *tree) {
    int tall = height(tree->root);
    printf("height %d, %d leaves, %d nodes\n", tall, leaves(tree->root), tree->size);
}

static void release(struct node *node) {
    if (node != NULL) {
        release(node->left);
        release(node->right);
        free(node);
    }
}

int main(int argc, char **argv) {
    struct tree tree = {NULL, 0};
    struct journal journal = {0, 0, 0};
    if (argc < 2) {
        die("usage: bst (KEY | -KEY)...");
    }
    for (int i = 1; i < argc; i++) {
        obey(&tree, &journal, argv[i]);
    }
    check(&tree, &journal);
    print_journal(&journal);
    if (tree.root != NULL) {
        printf("smallest %d\n", smallest(&tree));
    }
    print_shape(&tree);
    release(tree.root);
    return 0;
}
