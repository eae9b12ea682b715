// A queue of jobs.
import { EventEmitter } from 'events';

export type Id = string | number;

enum State { Waiting, Running = 'running', Done = 3 }

interface Job<T = unknown> {
  readonly id: Id;
  state?: State;
  run(signal: AbortSignal): Promise<T>;
  [extra: string]: unknown;
}

abstract class Base {
  protected constructor(private readonly name: string) {}
  abstract size(): number;
}

export class Queue<T> extends Base implements Iterable<Job<T>> {
  private jobs: Job<T>[] = [];
  static count = 0;

  constructor(name: string, public most: number = 10) {
    super(name);
    Queue.count++;
  }

  size(): number {
    return this.jobs.length;
  }

  add(job: Job<T>): asserts job is Job<T> {
    if (this.size() >= this.most) throw new RangeError(`more than ${this.most}`);
    this.jobs.push(job as Job<T>);
  }

  *[Symbol.iterator](): Iterator<Job<T>> {
    yield* this.jobs;
  }
}

declare function log(...parts: unknown[]): void;

const queue = new Queue<number>('all');
const twice = <T extends object>(value: T): [T, T] => [value, value];
queue.add({ id: 1, run: async () => 42 });
for (const { id, state = State.Waiting } of queue) {
  log(id!, state satisfies State, twice({ id }));
}
export default queue;
