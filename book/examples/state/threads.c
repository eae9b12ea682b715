/* Starts a thread, which is refused: threads 1 2 */
#include <pthread.h>
#include <stdio.h>

static void *work(void *argument)
{
    return argument;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, argv);
    pthread_join(thread, NULL);
    printf("%d\n", argc);
    return 0;
}
