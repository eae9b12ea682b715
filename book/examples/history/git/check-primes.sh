#!/bin/sh
# There are 5732087 primes up to 99460729, which is 9973 times 9973 and none of them.
[ "$(./primes 99460729)" = 5732087 ]
