/* A small compiler, made like the compilers of the 1990s: trees and register transfer lists in pools of memory, unions with
   a tag and trailing arrays, and passes that change expressions in place. It translates functions on numbers and arrays
   into code for a machine with a stack. One of its passes shares a node that it must copy; see FAULT. */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ pools */

#define CHUNK_SIZE 4064

struct chunk {
  char *limit;
  struct chunk *prev;
  char contents[4];
};

struct pool {
  struct chunk *chunk;
  char *object_base;
  char *next_free;
  char *chunk_limit;
  long allocated;
};

static struct pool permanent_pool;
static struct pool tree_pool;
static struct pool rtl_pool;

static void fatal(const char *what, const char *name)
{
  fprintf(stderr, "compiler: %s%s%s\n", what, name ? ": " : "", name ? name : "");
  exit(33);
}

static void *xmalloc(size_t size)
{
  void *block = malloc(size);
  if (!block)
    fatal("out of memory", NULL);
  return block;
}

static void pool_new_chunk(struct pool *pool, size_t length)
{
  size_t size = CHUNK_SIZE;
  if (length + sizeof(struct chunk) + 64 > size)
    size = length + sizeof(struct chunk) + 64;
  struct chunk *chunk = xmalloc(size);
  chunk->prev = pool->chunk;
  chunk->limit = (char *)chunk + size;
  pool->chunk = chunk;
  pool->chunk_limit = chunk->limit;
  pool->next_free = (char *)(((unsigned long)chunk->contents + 7) & ~7ul);
  pool->object_base = pool->next_free;
}

static void pool_begin(struct pool *pool)
{
  memset(pool, 0, sizeof *pool);
  pool_new_chunk(pool, 0);
}

static void *pool_alloc(struct pool *pool, size_t length)
{
  length = (length + 7) & ~7ul;
  if (pool->next_free + length > pool->chunk_limit)
    pool_new_chunk(pool, length);
  pool->object_base = pool->next_free;
  pool->next_free += length;
  pool->allocated += length;
  memset(pool->object_base, 0, length);
  return pool->object_base;
}

static char *pool_copy(struct pool *pool, const char *text, size_t length)
{
  char *copy = pool_alloc(pool, length + 1);
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

static void pool_end(struct pool *pool)
{
  struct chunk *chunk = pool->chunk;
  while (chunk) {
    struct chunk *prev = chunk->prev;
    free(chunk);
    chunk = prev;
  }
  memset(pool, 0, sizeof *pool);
}

/* ------------------------------------------------------------ identifiers */

#define HASH_SIZE 211

struct identifier {
  struct identifier *chain;
  int length;
  int keyword;
  struct tree *declaration;
  char *name;
};

static struct identifier *hash_table[HASH_SIZE];
static int identifiers;

static unsigned hash_name(const char *name, int length)
{
  unsigned hash = length;
  for (int i = 0; i < length; i++)
    hash = hash * 613 + (unsigned char)name[i];
  return hash % HASH_SIZE;
}

static struct identifier *get_identifier(const char *name, int length)
{
  unsigned hash = hash_name(name, length);
  struct identifier *id;
  for (id = hash_table[hash]; id; id = id->chain)
    if (id->length == length && !memcmp(id->name, name, length))
      return id;
  id = pool_alloc(&permanent_pool, sizeof *id);
  id->name = pool_copy(&permanent_pool, name, length);
  id->length = length;
  id->chain = hash_table[hash];
  hash_table[hash] = id;
  identifiers++;
  return id;
}

/* ------------------------------------------------------------------ lexer */

enum token {
  TOK_END,
  TOK_NAME,
  TOK_INT,
  TOK_REAL,
  TOK_KEYWORD,
  TOK_PLUSPLUS,
  TOK_LE,
  TOK_GE,
  TOK_EQ,
  TOK_NE,
  TOK_CHAR
};

enum keyword { KW_NONE, KW_INT, KW_DOUBLE, KW_FOR, KW_WHILE, KW_IF, KW_ELSE, KW_RETURN };

static struct {
  const char *name;
  enum keyword keyword;
} keywords[] = {
  {"int", KW_INT},     {"double", KW_DOUBLE}, {"for", KW_FOR},       {"while", KW_WHILE},
  {"if", KW_IF},       {"else", KW_ELSE},     {"return", KW_RETURN},
};

struct lexer {
  FILE *input;
  int lineno;
  int ahead;
  char text[128];
  int length;
  enum token token;
  int character;
  struct identifier *name;
  long integer;
  double real;
};

static struct lexer lex;

static void error_at(const char *what)
{
  fprintf(stderr, "%d: %s near `%s'\n", lex.lineno, what, lex.text);
  exit(1);
}

static int next_character(void)
{
  int c = lex.ahead;
  if (c == '\n')
    lex.lineno++;
  lex.ahead = getc(lex.input);
  return c;
}

static void add_character(int c)
{
  if (lex.length + 1 < (int)sizeof lex.text) {
    lex.text[lex.length++] = c;
    lex.text[lex.length] = 0;
  }
}

static void skip_white_space(void)
{
  for (;;) {
    while (lex.ahead != EOF && isspace(lex.ahead))
      next_character();
    if (lex.ahead != '#')
      return;
    while (lex.ahead != EOF && lex.ahead != '\n')
      next_character();
  }
}

static void lex_number(void)
{
  int is_real = 0;
  while (isdigit(lex.ahead) || lex.ahead == '.') {
    is_real |= lex.ahead == '.';
    add_character(next_character());
  }
  if (is_real) {
    lex.token = TOK_REAL;
    lex.real = strtod(lex.text, NULL);
  } else {
    lex.token = TOK_INT;
    lex.integer = strtol(lex.text, NULL, 10);
  }
}

static void lex_name(void)
{
  while (isalnum(lex.ahead) || lex.ahead == '_')
    add_character(next_character());
  lex.name = get_identifier(lex.text, lex.length);
  lex.token = lex.name->keyword ? TOK_KEYWORD : TOK_NAME;
}

static void lex_operator(void)
{
  static const struct {
    char text[3];
    enum token token;
  } pairs[] = {{"++", TOK_PLUSPLUS}, {"<=", TOK_LE}, {">=", TOK_GE}, {"==", TOK_EQ}, {"!=", TOK_NE}};
  int c = next_character();
  add_character(c);
  for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (pairs[i].text[0] == c && pairs[i].text[1] == lex.ahead) {
      add_character(next_character());
      lex.token = pairs[i].token;
      return;
    }
  lex.token = TOK_CHAR;
  lex.character = c;
}

static void next_token(void)
{
  skip_white_space();
  lex.length = 0;
  lex.text[0] = 0;
  lex.character = 0;
  if (lex.ahead == EOF)
    lex.token = TOK_END;
  else if (isdigit(lex.ahead))
    lex_number();
  else if (isalpha(lex.ahead) || lex.ahead == '_')
    lex_name();
  else
    lex_operator();
}

static int is_character(int c)
{
  return lex.token == TOK_CHAR && lex.character == c;
}

static int is_keyword(enum keyword keyword)
{
  return lex.token == TOK_KEYWORD && lex.name->keyword == (int)keyword;
}

static int accept(int c)
{
  if (!is_character(c))
    return 0;
  next_token();
  return 1;
}

static void expect(int c)
{
  if (!accept(c))
    error_at("syntax error");
}

static void begin_lexer(FILE *input)
{
  for (unsigned i = 0; i < sizeof keywords / sizeof *keywords; i++)
    get_identifier(keywords[i].name, strlen(keywords[i].name))->keyword = keywords[i].keyword;
  lex.input = input;
  lex.lineno = 1;
  lex.ahead = getc(input);
  next_token();
}

/* ------------------------------------------------------------------ trees */

enum tree_code {
  ERROR_MARK,
  INTEGER_CST,
  REAL_CST,
  VAR_DECL,
  PARM_DECL,
  FUNCTION_DECL,
  ARRAY_REF,
  PLUS_EXPR,
  MINUS_EXPR,
  MULT_EXPR,
  DIV_EXPR,
  LT_EXPR,
  GT_EXPR,
  LE_EXPR,
  GE_EXPR,
  EQ_EXPR,
  NE_EXPR,
  NEGATE_EXPR,
  MODIFY_EXPR,
  INCREMENT_EXPR,
  FOR_STMT,
  WHILE_STMT,
  IF_STMT,
  RETURN_STMT,
  EXPR_STMT,
  BLOCK
};

enum type_kind { TYPE_INT, TYPE_DOUBLE, TYPE_ARRAY };

struct tree_common {
  short code;
  short type;
  int lineno;
  struct tree *chain;
};

struct tree {
  struct tree_common common;
  union tree_node {
    long int_cst;
    double real_cst;
    struct {
      struct identifier *name;
      struct rtx_def *rtl;
      int size;
      int used;
    } decl;
    struct {
      struct identifier *name;
      struct tree *parms;
      struct tree *locals;
      struct tree *body;
    } function;
    struct tree *operands[1];
  } u;
};

static struct tree *functions;
static struct tree *current_function;
static int trees;

#define CODE(T) ((enum tree_code)(T)->common.code)
#define OPERAND(T, N) ((T)->u.operands[N])

static struct tree *make_tree(enum tree_code code, size_t extra)
{
  struct tree *tree = pool_alloc(&tree_pool, sizeof(struct tree_common) + extra);
  tree->common.code = code;
  tree->common.lineno = lex.lineno;
  trees++;
  return tree;
}

static struct tree *build_int(long value)
{
  struct tree *tree = make_tree(INTEGER_CST, sizeof(long));
  tree->common.type = TYPE_INT;
  tree->u.int_cst = value;
  return tree;
}

static struct tree *build_real(double value)
{
  struct tree *tree = make_tree(REAL_CST, sizeof(double));
  tree->common.type = TYPE_DOUBLE;
  tree->u.real_cst = value;
  return tree;
}

static struct tree *build_operands(enum tree_code code, int count)
{
  return make_tree(code, count * sizeof(struct tree *));
}

static int is_constant(struct tree *tree)
{
  return CODE(tree) == INTEGER_CST || CODE(tree) == REAL_CST;
}

static double constant_value(struct tree *tree)
{
  return CODE(tree) == INTEGER_CST ? (double)tree->u.int_cst : tree->u.real_cst;
}

static int is_comparison(enum tree_code code)
{
  return code >= LT_EXPR && code <= NE_EXPR;
}

static struct tree *fold_integers(enum tree_code code, long a, long b)
{
  switch (code) {
  case PLUS_EXPR: return build_int(a + b);
  case MINUS_EXPR: return build_int(a - b);
  case MULT_EXPR: return build_int(a * b);
  case DIV_EXPR: return b ? build_int(a / b) : NULL;
  case LT_EXPR: return build_int(a < b);
  case GT_EXPR: return build_int(a > b);
  case LE_EXPR: return build_int(a <= b);
  case GE_EXPR: return build_int(a >= b);
  case EQ_EXPR: return build_int(a == b);
  case NE_EXPR: return build_int(a != b);
  default: return NULL;
  }
}

static struct tree *fold_reals(enum tree_code code, double a, double b)
{
  switch (code) {
  case PLUS_EXPR: return build_real(a + b);
  case MINUS_EXPR: return build_real(a - b);
  case MULT_EXPR: return build_real(a * b);
  case DIV_EXPR: return b != 0 ? build_real(a / b) : NULL;
  default: return NULL;
  }
}

static struct tree *fold(enum tree_code code, struct tree *a, struct tree *b)
{
  if (!is_constant(a) || !is_constant(b))
    return NULL;
  if (CODE(a) == INTEGER_CST && CODE(b) == INTEGER_CST)
    return fold_integers(code, a->u.int_cst, b->u.int_cst);
  return fold_reals(code, constant_value(a), constant_value(b));
}

static struct tree *build_binary(enum tree_code code, struct tree *a, struct tree *b)
{
  struct tree *folded = fold(code, a, b);
  if (folded)
    return folded;
  struct tree *tree = build_operands(code, 2);
  int is_real = a->common.type == TYPE_DOUBLE || b->common.type == TYPE_DOUBLE;
  tree->common.type = is_real && !is_comparison(code) ? TYPE_DOUBLE : TYPE_INT;
  OPERAND(tree, 0) = a;
  OPERAND(tree, 1) = b;
  return tree;
}

static struct tree *build_unary(enum tree_code code, struct tree *a)
{
  struct tree *tree = build_operands(code, 1);
  tree->common.type = a->common.type;
  OPERAND(tree, 0) = a;
  return tree;
}

static struct tree *reverse_chain(struct tree *chain)
{
  struct tree *reversed = NULL;
  while (chain) {
    struct tree *next = chain->common.chain;
    chain->common.chain = reversed;
    reversed = chain;
    chain = next;
  }
  return reversed;
}

static int chain_length(struct tree *chain)
{
  int length = 0;
  for (; chain; chain = chain->common.chain)
    length++;
  return length;
}

/* ----------------------------------------------------------------- parser */

static struct tree *parse_expression(void);
static struct tree *parse_statement(void);

static struct tree *parse_name(void)
{
  struct tree *declaration = lex.name->declaration;
  if (!declaration)
    error_at("undeclared name");
  declaration->u.decl.used++;
  next_token();
  if (!accept('['))
    return declaration;
  if (declaration->common.type != TYPE_ARRAY)
    error_at("not an array");
  struct tree *reference = build_operands(ARRAY_REF, 2);
  reference->common.type = TYPE_DOUBLE;
  OPERAND(reference, 0) = declaration;
  OPERAND(reference, 1) = parse_expression();
  expect(']');
  return reference;
}

static struct tree *parse_primary(void)
{
  struct tree *tree;
  switch (lex.token) {
  case TOK_INT:
    tree = build_int(lex.integer);
    next_token();
    return tree;
  case TOK_REAL:
    tree = build_real(lex.real);
    next_token();
    return tree;
  case TOK_NAME:
    return parse_name();
  default:
    break;
  }
  if (accept('(')) {
    tree = parse_expression();
    expect(')');
    return tree;
  }
  if (accept('-'))
    return build_unary(NEGATE_EXPR, parse_primary());
  error_at("expression expected");
  return NULL;
}

static struct tree *parse_postfix(void)
{
  struct tree *tree = parse_primary();
  if (lex.token == TOK_PLUSPLUS) {
    next_token();
    tree = build_unary(INCREMENT_EXPR, tree);
  }
  return tree;
}

static struct tree *parse_product(void)
{
  struct tree *tree = parse_postfix();
  while (is_character('*') || is_character('/')) {
    enum tree_code code = lex.character == '*' ? MULT_EXPR : DIV_EXPR;
    next_token();
    tree = build_binary(code, tree, parse_postfix());
  }
  return tree;
}

static struct tree *parse_sum(void)
{
  struct tree *tree = parse_product();
  while (is_character('+') || is_character('-')) {
    enum tree_code code = lex.character == '+' ? PLUS_EXPR : MINUS_EXPR;
    next_token();
    tree = build_binary(code, tree, parse_product());
  }
  return tree;
}

static enum tree_code comparison_code(void)
{
  switch (lex.token) {
  case TOK_LE: return LE_EXPR;
  case TOK_GE: return GE_EXPR;
  case TOK_EQ: return EQ_EXPR;
  case TOK_NE: return NE_EXPR;
  case TOK_CHAR:
    if (lex.character == '<')
      return LT_EXPR;
    if (lex.character == '>')
      return GT_EXPR;
    return ERROR_MARK;
  default: return ERROR_MARK;
  }
}

static struct tree *parse_comparison(void)
{
  struct tree *tree = parse_sum();
  enum tree_code code = comparison_code();
  if (code == ERROR_MARK)
    return tree;
  next_token();
  return build_binary(code, tree, parse_sum());
}

static struct tree *parse_expression(void)
{
  struct tree *left = parse_comparison();
  if (!accept('='))
    return left;
  if (CODE(left) != VAR_DECL && CODE(left) != PARM_DECL && CODE(left) != ARRAY_REF)
    error_at("cannot assign");
  struct tree *tree = build_operands(MODIFY_EXPR, 2);
  tree->common.type = left->common.type;
  OPERAND(tree, 0) = left;
  OPERAND(tree, 1) = parse_expression();
  return tree;
}

static struct tree *declare(enum tree_code code, enum type_kind type)
{
  if (lex.token != TOK_NAME)
    error_at("name expected");
  struct tree *tree = make_tree(code, sizeof tree->u.decl);
  tree->u.decl.name = lex.name;
  tree->u.decl.size = type == TYPE_DOUBLE ? 8 : 4;
  tree->common.type = type;
  lex.name->declaration = tree;
  next_token();
  if (accept('[')) {
    expect(']');
    tree->common.type = TYPE_ARRAY;
    tree->u.decl.size = 8;
  }
  return tree;
}

static enum type_kind parse_type(void)
{
  enum type_kind type = is_keyword(KW_DOUBLE) ? TYPE_DOUBLE : TYPE_INT;
  if (!is_keyword(KW_DOUBLE) && !is_keyword(KW_INT))
    error_at("type expected");
  next_token();
  return type;
}

static struct tree *parse_locals(void)
{
  struct tree *locals = NULL;
  while (is_keyword(KW_INT) || is_keyword(KW_DOUBLE)) {
    enum type_kind type = parse_type();
    do {
      struct tree *local = declare(VAR_DECL, type);
      local->common.chain = locals;
      locals = local;
    } while (accept(','));
    expect(';');
  }
  return reverse_chain(locals);
}

static struct tree *parse_for(void)
{
  struct tree *tree = build_operands(FOR_STMT, 4);
  expect('(');
  OPERAND(tree, 0) = parse_expression();
  expect(';');
  OPERAND(tree, 1) = parse_expression();
  expect(';');
  OPERAND(tree, 2) = parse_expression();
  expect(')');
  OPERAND(tree, 3) = parse_statement();
  return tree;
}

static struct tree *parse_while(void)
{
  struct tree *tree = build_operands(WHILE_STMT, 2);
  expect('(');
  OPERAND(tree, 0) = parse_expression();
  expect(')');
  OPERAND(tree, 1) = parse_statement();
  return tree;
}

static struct tree *parse_if(void)
{
  struct tree *tree = build_operands(IF_STMT, 3);
  expect('(');
  OPERAND(tree, 0) = parse_expression();
  expect(')');
  OPERAND(tree, 1) = parse_statement();
  if (is_keyword(KW_ELSE)) {
    next_token();
    OPERAND(tree, 2) = parse_statement();
  }
  return tree;
}

static struct tree *parse_block(void)
{
  struct tree *tree = build_operands(BLOCK, 1);
  struct tree *statements = NULL;
  while (!is_character('}')) {
    struct tree *statement = parse_statement();
    statement->common.chain = statements;
    statements = statement;
  }
  expect('}');
  OPERAND(tree, 0) = reverse_chain(statements);
  return tree;
}

static struct tree *parse_statement(void)
{
  struct tree *tree;
  if (accept('{'))
    return parse_block();
  if (lex.token == TOK_KEYWORD) {
    enum keyword keyword = lex.name->keyword;
    next_token();
    switch (keyword) {
    case KW_FOR: return parse_for();
    case KW_WHILE: return parse_while();
    case KW_IF: return parse_if();
    case KW_RETURN:
      tree = build_unary(RETURN_STMT, parse_expression());
      expect(';');
      return tree;
    default: error_at("statement expected");
    }
  }
  tree = build_unary(EXPR_STMT, parse_expression());
  expect(';');
  return tree;
}

static struct tree *parse_parameters(void)
{
  struct tree *parms = NULL;
  while (!is_character(')')) {
    enum type_kind type = parse_type();
    struct tree *parm = declare(PARM_DECL, type);
    parm->common.chain = parms;
    parms = parm;
    if (!accept(','))
      break;
  }
  return reverse_chain(parms);
}

static struct tree *parse_function(void)
{
  enum type_kind type = parse_type();
  if (lex.token != TOK_NAME)
    error_at("name expected");
  struct tree *function = make_tree(FUNCTION_DECL, sizeof function->u.function);
  function->common.type = type;
  function->u.function.name = lex.name;
  next_token();
  expect('(');
  function->u.function.parms = parse_parameters();
  expect(')');
  expect('{');
  function->u.function.locals = parse_locals();
  function->u.function.body = parse_block();
  return function;
}

static void forget_declarations(void)
{
  for (int i = 0; i < HASH_SIZE; i++)
    for (struct identifier *id = hash_table[i]; id; id = id->chain)
      id->declaration = NULL;
}

static void parse_program(void)
{
  struct tree *all = NULL;
  while (lex.token != TOK_END) {
    struct tree *function = parse_function();
    function->common.chain = all;
    all = function;
    forget_declarations();
  }
  functions = reverse_chain(all);
}

/* ------------------------------------------------- register transfer lists */

enum rtx_code {
  UNKNOWN,
  CONST_INT,
  CONST_DOUBLE,
  REG,
  MEM,
  PLUS,
  MINUS,
  MULT,
  DIV,
  NEG,
  LT,
  GT,
  LE,
  GE,
  EQ,
  NE,
  SET,
  USE,
  LABEL,
  JUMP,
  JUMP_IF_ZERO,
  INSN
};

enum machine_mode { VOIDmode, SImode, DFmode };

union rtunion {
  long rtint;
  double rtdouble;
  struct rtx_def *rtx;
  char *rtstr;
};

struct rtx_def {
  unsigned short code;
  unsigned char mode;
  unsigned in_loop : 1;
  unsigned volatil : 1;
  unsigned used : 1;
  union rtunion fld[1];
};

typedef struct rtx_def *rtx;

/* One letter for each field: i a number, d a real number, e an expression, u another insn. */
static const struct {
  const char *name;
  const char *format;
} rtx_info[] = {
  {"unknown", ""},  {"const_int", "i"}, {"const_double", "d"}, {"reg", "i"},   {"mem", "e"},
  {"plus", "ee"},   {"minus", "ee"},    {"mult", "ee"},        {"div", "ee"},  {"neg", "e"},
  {"lt", "ee"},     {"gt", "ee"},       {"le", "ee"},          {"ge", "ee"},   {"eq", "ee"},
  {"ne", "ee"},     {"set", "ee"},      {"use", "e"},          {"label", "i"}, {"jump", "i"},
  {"jump_if_zero", "ie"},               {"insn", "iuue"},
};

#define GET_CODE(X) ((enum rtx_code)(X)->code)
#define XEXP(X, N) ((X)->fld[N].rtx)
#define XINT(X, N) ((X)->fld[N].rtint)
#define FORMAT(X) (rtx_info[(X)->code].format)
#define LENGTH(X) ((int)strlen(FORMAT(X)))
#define INSN_UID(I) XINT(I, 0)
#define PREV_INSN(I) XEXP(I, 1)
#define NEXT_INSN(I) XEXP(I, 2)
#define PATTERN(I) XEXP(I, 3)

static rtx first_insn, last_insn;
static rtx first_loop_store_insn;
static int cur_insn_uid, cur_reg, cur_label;
static int combine_attempts, combine_successes, cse_replacements, folded_rtx;
static int expressions;

static rtx rtx_alloc(enum rtx_code code, enum machine_mode mode)
{
  size_t fields = strlen(rtx_info[code].format);
  if (fields == 0)
    fields = 1;
  rtx x = pool_alloc(&rtl_pool, sizeof(struct rtx_def) + (fields - 1) * sizeof(union rtunion));
  x->code = code;
  x->mode = mode;
  expressions++;
  return x;
}

static rtx gen_int(long value)
{
  rtx x = rtx_alloc(CONST_INT, SImode);
  XINT(x, 0) = value;
  return x;
}

static rtx gen_double(double value)
{
  rtx x = rtx_alloc(CONST_DOUBLE, DFmode);
  x->fld[0].rtdouble = value;
  return x;
}

static rtx gen_reg(enum machine_mode mode)
{
  rtx x = rtx_alloc(REG, mode);
  XINT(x, 0) = cur_reg++;
  return x;
}

static rtx gen_one(enum rtx_code code, enum machine_mode mode, rtx a)
{
  rtx x = rtx_alloc(code, mode);
  XEXP(x, 0) = a;
  return x;
}

static rtx gen_two(enum rtx_code code, enum machine_mode mode, rtx a, rtx b)
{
  rtx x = rtx_alloc(code, mode);
  XEXP(x, 0) = a;
  XEXP(x, 1) = b;
  return x;
}

static rtx emit_insn(rtx pattern)
{
  rtx insn = rtx_alloc(INSN, VOIDmode);
  INSN_UID(insn) = cur_insn_uid++;
  PREV_INSN(insn) = last_insn;
  PATTERN(insn) = pattern;
  if (last_insn)
    NEXT_INSN(last_insn) = insn;
  else
    first_insn = insn;
  last_insn = insn;
  return insn;
}

static void delete_insn(rtx insn)
{
  rtx prev = PREV_INSN(insn), next = NEXT_INSN(insn);
  if (prev)
    NEXT_INSN(prev) = next;
  else
    first_insn = next;
  if (next)
    PREV_INSN(next) = prev;
  else
    last_insn = prev;
}

static rtx emit_numbered(enum rtx_code code, int number)
{
  rtx x = rtx_alloc(code, VOIDmode);
  XINT(x, 0) = number;
  return emit_insn(x);
}

static void emit_jump_if_zero(rtx condition, int label)
{
  rtx x = rtx_alloc(JUMP_IF_ZERO, VOIDmode);
  XINT(x, 0) = label;
  XEXP(x, 1) = condition;
  emit_insn(x);
}

static int is_binary(rtx x)
{
  return GET_CODE(x) >= PLUS && GET_CODE(x) <= NE && GET_CODE(x) != NEG;
}

static int rtx_equal(rtx a, rtx b)
{
  if (a == b)
    return 1;
  if (!a || !b || a->code != b->code || a->mode != b->mode)
    return 0;
  const char *format = FORMAT(a);
  for (int i = 0; format[i]; i++) {
    if (format[i] == 'i' && XINT(a, i) != XINT(b, i))
      return 0;
    if (format[i] == 'd' && a->fld[i].rtdouble != b->fld[i].rtdouble)
      return 0;
    if (format[i] == 'e' && !rtx_equal(XEXP(a, i), XEXP(b, i)))
      return 0;
  }
  return 1;
}

static rtx copy_rtx(rtx x)
{
  rtx copy = rtx_alloc(GET_CODE(x), x->mode);
  const char *format = FORMAT(x);
  copy->in_loop = x->in_loop;
  copy->volatil = x->volatil;
  for (int i = 0; format[i]; i++)
    if (format[i] == 'e')
      XEXP(copy, i) = copy_rtx(XEXP(x, i));
    else
      copy->fld[i] = x->fld[i];
  return copy;
}

static int mentions_reg(rtx x, long reg)
{
  const char *format = FORMAT(x);
  if (GET_CODE(x) == REG)
    return XINT(x, 0) == reg;
  for (int i = 0; format[i]; i++)
    if (format[i] == 'e' && mentions_reg(XEXP(x, i), reg))
      return 1;
  return 0;
}

static int mentions_memory(rtx x)
{
  const char *format = FORMAT(x);
  if (GET_CODE(x) == MEM)
    return 1;
  for (int i = 0; format[i]; i++)
    if (format[i] == 'e' && mentions_memory(XEXP(x, i)))
      return 1;
  return 0;
}

static int constant_rtx(rtx x)
{
  return GET_CODE(x) == CONST_INT || GET_CODE(x) == CONST_DOUBLE;
}

/* -------------------------------------------------- from trees to insns */

static enum machine_mode mode_of(struct tree *tree)
{
  return tree->common.type == TYPE_DOUBLE ? DFmode : SImode;
}

static enum rtx_code code_of(enum tree_code code)
{
  switch (code) {
  case PLUS_EXPR: return PLUS;
  case MINUS_EXPR: return MINUS;
  case MULT_EXPR: return MULT;
  case DIV_EXPR: return DIV;
  case LT_EXPR: return LT;
  case GT_EXPR: return GT;
  case LE_EXPR: return LE;
  case GE_EXPR: return GE;
  case EQ_EXPR: return EQ;
  case NE_EXPR: return NE;
  default: fatal("no such operation", NULL);
  }
  return UNKNOWN;
}

static rtx expand_expr(struct tree *tree);

static rtx expand_address(struct tree *reference)
{
  rtx base = OPERAND(reference, 0)->u.decl.rtl;
  rtx index = expand_expr(OPERAND(reference, 1));
  if (GET_CODE(index) == CONST_INT)
    return gen_two(PLUS, SImode, base, gen_int(8 * XINT(index, 0)));
  return gen_two(PLUS, SImode, base, gen_two(MULT, SImode, index, gen_int(8)));
}

static rtx expand_lvalue(struct tree *tree)
{
  if (CODE(tree) == ARRAY_REF)
    return gen_one(MEM, DFmode, expand_address(tree));
  return tree->u.decl.rtl;
}

static rtx expand_assignment(struct tree *tree)
{
  rtx value = expand_expr(OPERAND(tree, 1));
  rtx target = expand_lvalue(OPERAND(tree, 0));
  emit_insn(gen_two(SET, target->mode, target, value));
  return target;
}

static rtx expand_increment(struct tree *tree)
{
  rtx target = expand_lvalue(OPERAND(tree, 0));
  rtx sum = gen_two(PLUS, target->mode, copy_rtx(target), gen_int(1));
  emit_insn(gen_two(SET, target->mode, target, sum));
  return target;
}

static rtx expand_binary(struct tree *tree)
{
  rtx a = expand_expr(OPERAND(tree, 0));
  rtx b = expand_expr(OPERAND(tree, 1));
  return gen_two(code_of(CODE(tree)), mode_of(tree), a, b);
}

static rtx expand_expr(struct tree *tree)
{
  switch (CODE(tree)) {
  case INTEGER_CST: return gen_int(tree->u.int_cst);
  case REAL_CST: return gen_double(tree->u.real_cst);
  case VAR_DECL:
  case PARM_DECL: return copy_rtx(tree->u.decl.rtl);
  case ARRAY_REF: return gen_one(MEM, DFmode, expand_address(tree));
  case NEGATE_EXPR: return gen_one(NEG, mode_of(tree), expand_expr(OPERAND(tree, 0)));
  case MODIFY_EXPR: return expand_assignment(tree);
  case INCREMENT_EXPR: return expand_increment(tree);
  default: return expand_binary(tree);
  }
}

static void expand_statement(struct tree *tree);

static void expand_loop(struct tree *condition, struct tree *step, struct tree *body)
{
  int start = cur_label++, end = cur_label++;
  emit_numbered(LABEL, start);
  emit_jump_if_zero(expand_expr(condition), end);
  expand_statement(body);
  if (step)
    expand_expr(step);
  emit_numbered(JUMP, start);
  emit_numbered(LABEL, end);
}

static void expand_if(struct tree *tree)
{
  int otherwise = cur_label++, end = cur_label++;
  emit_jump_if_zero(expand_expr(OPERAND(tree, 0)), otherwise);
  expand_statement(OPERAND(tree, 1));
  if (OPERAND(tree, 2)) {
    emit_numbered(JUMP, end);
    emit_numbered(LABEL, otherwise);
    expand_statement(OPERAND(tree, 2));
    emit_numbered(LABEL, end);
  } else {
    emit_numbered(LABEL, otherwise);
  }
}

static void expand_statement(struct tree *tree)
{
  switch (CODE(tree)) {
  case BLOCK:
    for (struct tree *inner = OPERAND(tree, 0); inner; inner = inner->common.chain)
      expand_statement(inner);
    break;
  case FOR_STMT:
    expand_expr(OPERAND(tree, 0));
    expand_loop(OPERAND(tree, 1), OPERAND(tree, 2), OPERAND(tree, 3));
    break;
  case WHILE_STMT: expand_loop(OPERAND(tree, 0), NULL, OPERAND(tree, 1)); break;
  case IF_STMT: expand_if(tree); break;
  case RETURN_STMT: emit_insn(gen_one(USE, VOIDmode, expand_expr(OPERAND(tree, 0)))); break;
  case EXPR_STMT: expand_expr(OPERAND(tree, 0)); break;
  default: fatal("no such statement", NULL);
  }
}

static void expand_declarations(struct tree *chain)
{
  for (; chain; chain = chain->common.chain)
    chain->u.decl.rtl = gen_reg(chain->common.type == TYPE_DOUBLE ? DFmode : SImode);
}

static void expand_function(struct tree *function)
{
  first_insn = last_insn = first_loop_store_insn = NULL;
  cur_insn_uid = cur_reg = 1;
  expand_declarations(function->u.function.parms);
  expand_declarations(function->u.function.locals);
  expand_statement(function->u.function.body);
}

/* --------------------------------------------------- simplification */

static rtx simplify_constants(rtx x)
{
  rtx a = XEXP(x, 0), b = XEXP(x, 1);
  if (GET_CODE(a) != CONST_INT || GET_CODE(b) != CONST_INT)
    return x;
  switch (GET_CODE(x)) {
  case PLUS: folded_rtx++; return gen_int(XINT(a, 0) + XINT(b, 0));
  case MINUS: folded_rtx++; return gen_int(XINT(a, 0) - XINT(b, 0));
  case MULT: folded_rtx++; return gen_int(XINT(a, 0) * XINT(b, 0));
  default: return x;
  }
}

static rtx simplify_identity(rtx x)
{
  rtx a = XEXP(x, 0), b = XEXP(x, 1);
  if (GET_CODE(b) != CONST_INT)
    return x;
  if (GET_CODE(x) == PLUS && XINT(b, 0) == 0)
    return a;
  if (GET_CODE(x) == MINUS && XINT(b, 0) == 0)
    return a;
  if (GET_CODE(x) == MULT && XINT(b, 0) == 1)
    return a;
  return x;
}

static rtx simplify_rtx(rtx x)
{
  const char *format = FORMAT(x);
  for (int i = 0; format[i]; i++)
    if (format[i] == 'e')
      XEXP(x, i) = simplify_rtx(XEXP(x, i));
  if (!is_binary(x))
    return x;
  rtx simple = simplify_constants(x);
  return simple == x ? simplify_identity(x) : simple;
}

static void simplify_insns(void)
{
  for (rtx insn = first_insn; insn; insn = NEXT_INSN(insn))
    PATTERN(insn) = simplify_rtx(PATTERN(insn));
}

/* ----------------------------------------- common subexpressions */

#define MOST_VALUES 64

struct known_value {
  rtx expression;
  rtx reg;
};

static struct known_value values[MOST_VALUES];
static int known_values;

static void forget_values(void)
{
  memset(values, 0, sizeof values);
  known_values = 0;
}

static void invalidate(rtx target)
{
  int kept = 0;
  for (int i = 0; i < known_values; i++) {
    int is_gone;
    if (GET_CODE(target) == REG)
      is_gone = mentions_reg(values[i].expression, XINT(target, 0)) || rtx_equal(values[i].reg, target);
    else
      is_gone = mentions_memory(values[i].expression);
    if (!is_gone)
      values[kept++] = values[i];
  }
  memset(&values[kept], 0, (known_values - kept) * sizeof *values);
  known_values = kept;
}

static rtx cse_lookup(rtx x)
{
  for (int i = 0; i < known_values; i++)
    if (rtx_equal(values[i].expression, x))
      return values[i].reg;
  return NULL;
}

static rtx cse_replace(rtx x)
{
  rtx known = is_binary(x) ? cse_lookup(x) : NULL;
  if (known) {
    cse_replacements++;
    return copy_rtx(known);
  }
  const char *format = FORMAT(x);
  for (int i = 0; format[i]; i++)
    if (format[i] == 'e')
      XEXP(x, i) = cse_replace(XEXP(x, i));
  return x;
}

static void cse_set(rtx pattern)
{
  rtx target = XEXP(pattern, 0);
  XEXP(pattern, 1) = cse_replace(XEXP(pattern, 1));
  invalidate(target);
  int is_new = GET_CODE(target) == REG && is_binary(XEXP(pattern, 1)) && known_values < MOST_VALUES;
  if (is_new && !mentions_reg(XEXP(pattern, 1), XINT(target, 0))) {
    values[known_values].expression = XEXP(pattern, 1);
    values[known_values].reg = target;
    known_values++;
  }
}

static void cse_insns(void)
{
  forget_values();
  for (rtx insn = first_insn; insn; insn = NEXT_INSN(insn)) {
    rtx pattern = PATTERN(insn);
    switch (GET_CODE(pattern)) {
    case SET: cse_set(pattern); break;
    case LABEL: forget_values(); break;
    case JUMP_IF_ZERO: XEXP(pattern, 1) = cse_replace(XEXP(pattern, 1)); break;
    case USE: XEXP(pattern, 0) = cse_replace(XEXP(pattern, 0)); break;
    default: break;
    }
  }
}

/* ------------------------------------------------------------- jumps */

static int label_is_used(long label)
{
  for (rtx insn = first_insn; insn; insn = NEXT_INSN(insn)) {
    enum rtx_code code = GET_CODE(PATTERN(insn));
    if ((code == JUMP || code == JUMP_IF_ZERO) && XINT(PATTERN(insn), 0) == label)
      return 1;
  }
  return 0;
}

static void delete_dead_jumps(void)
{
  for (rtx insn = first_insn, next; insn; insn = next) {
    next = NEXT_INSN(insn);
    rtx pattern = PATTERN(insn);
    int is_next = next && GET_CODE(PATTERN(next)) == LABEL && GET_CODE(pattern) == JUMP
                  && XINT(PATTERN(next), 0) == XINT(pattern, 0);
    int is_dead = GET_CODE(pattern) == LABEL && !label_is_used(XINT(pattern, 0));
    if (is_next || is_dead)
      delete_insn(insn);
  }
}

static void delete_noop_moves(void)
{
  for (rtx insn = first_insn, next; insn; insn = next) {
    next = NEXT_INSN(insn);
    rtx pattern = PATTERN(insn);
    if (GET_CODE(pattern) == SET && rtx_equal(XEXP(pattern, 0), XEXP(pattern, 1)))
      delete_insn(insn);
  }
}

/* ------------------------------------------------------------- loops */

#define MOST_LOOPS 16

struct loop {
  rtx start;
  rtx end;
  int depth;
  int stores;
  struct loop *outer;
};

static struct loop loops[MOST_LOOPS];
static int number_of_loops;
static rtx loop_mems[8];
static int number_of_loop_mems;

static rtx find_label(long label)
{
  for (rtx insn = first_insn; insn; insn = NEXT_INSN(insn))
    if (GET_CODE(PATTERN(insn)) == LABEL && XINT(PATTERN(insn), 0) == label)
      return insn;
  return NULL;
}

static int is_before(rtx a, rtx b)
{
  for (; a; a = NEXT_INSN(a))
    if (a == b)
      return 1;
  return 0;
}

static void find_loops(void)
{
  number_of_loops = 0;
  memset(loops, 0, sizeof loops);
  for (rtx insn = first_insn; insn; insn = NEXT_INSN(insn)) {
    if (GET_CODE(PATTERN(insn)) != JUMP || number_of_loops == MOST_LOOPS)
      continue;
    rtx start = find_label(XINT(PATTERN(insn), 0));
    if (!start || !is_before(start, insn))
      continue;
    struct loop *loop = &loops[number_of_loops++];
    loop->start = start;
    loop->end = insn;
  }
}

static void nest_loops(void)
{
  for (int i = 0; i < number_of_loops; i++)
    for (int j = 0; j < number_of_loops; j++) {
      struct loop *inner = &loops[i], *outer = &loops[j];
      if (i != j && is_before(outer->start, inner->start) && is_before(inner->end, outer->end)) {
        inner->depth++;
        if (!inner->outer || is_before(inner->outer->start, outer->start))
          inner->outer = outer;
      }
    }
}

static void note_memory(rtx x)
{
  const char *format = FORMAT(x);
  x->in_loop = 1;
  if (GET_CODE(x) == MEM) {
    for (int i = 0; i < number_of_loop_mems; i++)
      if (rtx_equal(loop_mems[i], x))
        return;
    if (number_of_loop_mems < 8)
      loop_mems[number_of_loop_mems++] = x;
    return;
  }
  for (int i = 0; format[i]; i++)
    if (format[i] == 'e')
      note_memory(XEXP(x, i));
}

static void scan_loop(struct loop *loop)
{
  for (rtx insn = loop->start; insn && insn != loop->end; insn = NEXT_INSN(insn)) {
    rtx pattern = PATTERN(insn);
    if (GET_CODE(pattern) != SET)
      continue;
    note_memory(XEXP(pattern, 1));
    if (GET_CODE(XEXP(pattern, 0)) == MEM) {
      loop->stores++;
      if (!first_loop_store_insn)
        first_loop_store_insn = insn;
    }
  }
}

static void loop_optimize(void)
{
  number_of_loop_mems = 0;
  memset(loop_mems, 0, sizeof loop_mems);
  find_loops();
  nest_loops();
  for (int i = 0; i < number_of_loops; i++)
    scan_loop(&loops[i]);
}

/* ----------------------------------------------------------- combine */

struct undo {
  struct undo *next;
  rtx *where;
  rtx old_contents;
};

static struct {
  struct undo *undos;
  int num_undo;
} undobuf;

static void subst(rtx *where, rtx to)
{
  struct undo *undo = pool_alloc(&rtl_pool, sizeof *undo);
  undo->where = where;
  undo->old_contents = *where;
  undo->next = undobuf.undos;
  undobuf.undos = undo;
  undobuf.num_undo++;
  *where = to;
}

/* Puts constants and sums where the rules below expect them. */
static void canonicalize(rtx x)
{
  const char *format = FORMAT(x);
  for (int i = 0; format[i]; i++)
    if (format[i] == 'e')
      canonicalize(XEXP(x, i));
  int is_commutative = GET_CODE(x) == PLUS || GET_CODE(x) == MULT;
  if (!is_commutative)
    return;
  rtx a = XEXP(x, 0), b = XEXP(x, 1);
  int is_swapped = constant_rtx(a) && !constant_rtx(b);
  is_swapped |= GET_CODE(x) == MULT && GET_CODE(b) == PLUS && GET_CODE(a) != PLUS;
  if (is_swapped) {
    subst(&XEXP(x, 0), b);
    subst(&XEXP(x, 1), a);
  }
}

/* Makes an expression what another one is. Whoever refers to it sees the new one. */
static void become(rtx x, rtx other)
{
  x->code = other->code;
  x->mode = other->mode;
  for (int i = 0; i < LENGTH(other); i++)
    x->fld[i] = other->fld[i];
}

/* (MULT (PLUS a b) c) is (PLUS (MULT a c) (MULT b c)). */
static rtx distribute(rtx x)
{
  rtx sum = XEXP(x, 0), factor = XEXP(x, 1);
  rtx left = gen_two(MULT, x->mode, XEXP(sum, 0), factor);
  rtx right = x; /* FAULT: must be copy_rtx (x), because x becomes the sum */
  XEXP(right, 0) = XEXP(sum, 1);
  return gen_two(PLUS, x->mode, left, right);
}

static int is_worth_distributing(rtx x)
{
  if (GET_CODE(x) != MULT || x->mode != DFmode || GET_CODE(XEXP(x, 0)) != PLUS)
    return 0;
  return constant_rtx(XEXP(XEXP(x, 0), 1)) && GET_CODE(XEXP(x, 1)) == MEM;
}

static void combine_expression(rtx x)
{
  const char *format = FORMAT(x);
  combine_attempts++;
  for (int i = 0; format[i]; i++)
    if (format[i] == 'e')
      combine_expression(XEXP(x, i));
  if (is_worth_distributing(x)) {
    combine_successes++;
    become(x, distribute(x));
  }
}

static void combine_instructions(void)
{
  undobuf.undos = NULL;
  undobuf.num_undo = 0;
  for (rtx insn = first_insn; insn; insn = NEXT_INSN(insn)) {
    rtx pattern = PATTERN(insn);
    if (GET_CODE(pattern) != SET)
      continue;
    canonicalize(XEXP(pattern, 1));
    combine_expression(XEXP(pattern, 1));
  }
}

/* ------------------------------------------------------------- costs */

static long total_cost;

static int rtx_cost(rtx x)
{
  switch (GET_CODE(x)) {
  case CONST_INT:
  case CONST_DOUBLE: return 1;
  case REG: return 2;
  case MEM: return 4 + rtx_cost(XEXP(x, 0));
  case NEG: return 1 + rtx_cost(XEXP(x, 0));
  case MULT: return 4 + rtx_cost(XEXP(x, 0)) + rtx_cost(XEXP(x, 1));
  case DIV: return 12 + rtx_cost(XEXP(x, 0)) + rtx_cost(XEXP(x, 1));
  default: break;
  }
  if (is_binary(x))
    return 1 + rtx_cost(XEXP(x, 0)) + rtx_cost(XEXP(x, 1));
  return 0;
}

static int loop_depth(rtx insn)
{
  int depth = 0;
  for (int i = 0; i < number_of_loops; i++)
    depth += is_before(loops[i].start, insn) && is_before(insn, loops[i].end);
  return depth;
}

static int insn_cost(rtx insn)
{
  rtx pattern = PATTERN(insn);
  switch (GET_CODE(pattern)) {
  case SET: return rtx_cost(XEXP(pattern, 0)) + rtx_cost(XEXP(pattern, 1));
  case USE: return rtx_cost(XEXP(pattern, 0));
  case JUMP_IF_ZERO: return 2 + rtx_cost(XEXP(pattern, 1));
  case JUMP: return 2;
  default: return 0;
  }
}

static void estimate_costs(void)
{
  total_cost = 0;
  for (rtx insn = first_insn; insn; insn = NEXT_INSN(insn)) {
    long cost = insn_cost(insn);
    for (int depth = loop_depth(insn); depth > 0; depth--)
      cost *= 10;
    total_cost += cost;
  }
}

/* --------------------------------------------------------- registers */

struct reg_info {
  int first_uid;
  int last_uid;
  int uses;
  int slot;
};

static struct reg_info *reg_info;
static int slots;

static void note_uses(rtx x, int uid)
{
  const char *format = FORMAT(x);
  if (GET_CODE(x) == REG) {
    struct reg_info *info = &reg_info[XINT(x, 0)];
    if (!info->uses++)
      info->first_uid = uid;
    info->last_uid = uid;
  }
  for (int i = 0; format[i]; i++)
    if (format[i] == 'e')
      note_uses(XEXP(x, i), uid);
}

static void assign_slots(void)
{
  slots = 0;
  for (int reg = 1; reg < cur_reg; reg++)
    if (reg_info[reg].uses)
      reg_info[reg].slot = slots++;
}

static void allocate_registers(void)
{
  free(reg_info);
  reg_info = calloc(cur_reg + 1, sizeof *reg_info);
  if (!reg_info)
    fatal("out of memory", NULL);
  for (rtx insn = first_insn; insn; insn = NEXT_INSN(insn))
    note_uses(PATTERN(insn), INSN_UID(insn));
  assign_slots();
}

/* -------------------------------------------------------------- code */

struct code_buffer {
  int lines;
  int length;
  int room;
  char *text;
};

static struct code_buffer code;

static void code_add(const char *text)
{
  int length = strlen(text);
  if (code.length + length + 1 > code.room) {
    code.room = 2 * (code.room + length + 1);
    code.text = realloc(code.text, code.room);
    if (!code.text)
      fatal("out of memory", NULL);
  }
  memcpy(code.text + code.length, text, length + 1);
  code.length += length;
}

static void code_line(const char *operation, const char *argument)
{
  code_add("\t");
  code_add(operation);
  if (*argument) {
    code_add(" ");
    code_add(argument);
  }
  code_add("\n");
  code.lines++;
}

static void code_number(const char *operation, long number)
{
  char text[32];
  snprintf(text, sizeof text, "%ld", number);
  code_line(operation, text);
}

static void code_label(long label)
{
  char text[32];
  snprintf(text, sizeof text, "L%ld:\n", label);
  code_add(text);
}

static void final_expression(rtx x)
{
  char text[48];
  switch (GET_CODE(x)) {
  case CONST_INT: code_number("push", XINT(x, 0)); return;
  case CONST_DOUBLE:
    snprintf(text, sizeof text, "%g", x->fld[0].rtdouble);
    code_line("pushd", text);
    return;
  case REG: code_number("local", reg_info[XINT(x, 0)].slot); return;
  case MEM:
    final_expression(XEXP(x, 0));
    code_line("load", "");
    return;
  case NEG:
    final_expression(XEXP(x, 0));
    code_line("neg", "");
    return;
  default: break;
  }
  final_expression(XEXP(x, 0));
  final_expression(XEXP(x, 1));
  snprintf(text, sizeof text, "%s%s", rtx_info[x->code].name, x->mode == DFmode ? "d" : "");
  code_line(text, "");
}

static void final_set(rtx pattern)
{
  rtx target = XEXP(pattern, 0);
  if (GET_CODE(target) == MEM)
    final_expression(XEXP(target, 0));
  final_expression(XEXP(pattern, 1));
  if (GET_CODE(target) == MEM)
    code_line("store", "");
  else
    code_number("set", reg_info[XINT(target, 0)].slot);
}

static void final_insn(rtx insn)
{
  rtx pattern = PATTERN(insn);
  switch (GET_CODE(pattern)) {
  case SET: final_set(pattern); break;
  case USE:
    final_expression(XEXP(pattern, 0));
    code_line("return", "");
    break;
  case LABEL: code_label(XINT(pattern, 0)); break;
  case JUMP: code_number("jump", XINT(pattern, 0)); break;
  case JUMP_IF_ZERO:
    final_expression(XEXP(pattern, 1));
    code_number("jump0", XINT(pattern, 0));
    break;
  default: fatal("no such insn", rtx_info[pattern->code].name);
  }
}

static void final(struct tree *function)
{
  code_add(function->u.function.name->name);
  code_add(":\n");
  code_number("enter", slots);
  for (rtx insn = first_insn; insn; insn = NEXT_INSN(insn))
    final_insn(insn);
}

/* ---------------------------------------------------------- peepholes */

static int count_text(const char *text, const char *wanted)
{
  int count = 0;
  while ((text = strstr(text, wanted))) {
    count++;
    text += strlen(wanted);
  }
  return count;
}

static void replace_text(const char *wanted, const char *instead)
{
  size_t length = strlen(wanted), other = strlen(instead);
  char *at = code.text;
  while ((at = strstr(at, wanted))) {
    memmove(at + other, at + length, strlen(at + length) + 1);
    memcpy(at, instead, other);
    at += other;
    code.length -= length - other;
  }
}

static void peephole(void)
{
  if (!code.text)
    return;
  replace_text("\tpush 1\n\tplus\n", "\tinc\n");
  replace_text("\tpush 8\n\tmult\n", "\tscale\n");
}

/* ------------------------------------------------------------ reports */

static void dump_rtx(FILE *file, rtx x)
{
  const char *format = FORMAT(x);
  fprintf(file, "(%s", rtx_info[x->code].name);
  for (int i = 0; format[i]; i++) {
    if (format[i] == 'i')
      fprintf(file, " %ld", XINT(x, i));
    if (format[i] == 'd')
      fprintf(file, " %g", x->fld[i].rtdouble);
    if (format[i] == 'e') {
      putc(' ', file);
      dump_rtx(file, XEXP(x, i));
    }
  }
  putc(')', file);
}

static void dump_insns(FILE *file, const char *pass)
{
  fprintf(file, ";; %s\n", pass);
  for (rtx insn = first_insn; insn; insn = NEXT_INSN(insn)) {
    fprintf(file, ";; %ld ", INSN_UID(insn));
    dump_rtx(file, PATTERN(insn));
    putc('\n', file);
  }
}

static void report(struct tree *function)
{
  printf("%s: %d parameters, cost %ld, %d slots\n", function->u.function.name->name,
         chain_length(function->u.function.parms), total_cost, slots);
}

static void write_code(void)
{
  if (code.text)
    fputs(code.text, stdout);
  printf("%d lines, %d loads, %d stores\n", code.lines, code.text ? count_text(code.text, "load\n") : 0,
         code.text ? count_text(code.text, "store\n") : 0);
}

/* --------------------------------------------------------------- main */

struct pass {
  const char *name;
  void (*run)(void);
};

static const struct pass passes[] = {
  {"simplify", simplify_insns},     {"jump", delete_dead_jumps},
  {"cse", cse_insns},               {"loop", loop_optimize},
  {"combine", combine_instructions}, {"noop", delete_noop_moves},
  {"cost", estimate_costs},         {"registers", allocate_registers},
};

static int is_dumping;

static void rest_of_compilation(struct tree *function)
{
  for (unsigned i = 0; i < sizeof passes / sizeof *passes; i++) {
    passes[i].run();
    if (is_dumping)
      dump_insns(stderr, passes[i].name);
  }
  final(function);
  report(function);
}

static void compile_functions(void)
{
  for (struct tree *function = functions; function; function = function->common.chain) {
    current_function = function;
    pool_begin(&rtl_pool);
    expand_function(function);
    rest_of_compilation(function);
    pool_end(&rtl_pool);
  }
}

static void begin_pools(void)
{
  pool_begin(&permanent_pool);
  pool_begin(&tree_pool);
}

static void end_pools(void)
{
  pool_end(&tree_pool);
  pool_end(&permanent_pool);
  free(reg_info);
  free(code.text);
}

int main(int argc, char **argv)
{
  const char *name = NULL;
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "-d"))
      is_dumping = 1;
    else
      name = argv[i];
  FILE *input = name ? fopen(name, "r") : stdin;
  if (!input)
    fatal("cannot open", name);
  begin_pools();
  begin_lexer(input);
  parse_program();
  compile_functions();
  peephole();
  write_code();
  end_pools();
  if (name)
    fclose(input);
  return 0;
}
