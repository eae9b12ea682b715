/* Adds a tenth a million times, with Kahan's compensation, and checks the sum. */
#include <stdio.h>

int main(void) {
    double sum = 0, lost = 0;
    for (int i = 0; i < 1000000; i++) {
        double term = 0.1 - lost;
        double next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    printf("%.9f\n", sum);
    return sum == 100000.0 ? 0 : 1;
}
