/* Adds a line to log.txt, and prints what is in there: log a */
#include <stdio.h>

int main(int argc, char **argv)
{
    char line[80];
    FILE *log = fopen("log.txt", "a");
    fprintf(log, "%s\n", argc > 1 ? argv[1] : "nothing");
    fclose(log);
    log = fopen("log.txt", "r");
    while (fgets(line, sizeof line, log))
        fputs(line, stdout);
    return 0;
}
