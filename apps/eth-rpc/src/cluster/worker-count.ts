import { availableParallelism } from 'node:os'

/** How many processes serve; with one, it does everything itself. */
export function workerCount({ WORKERS }: { readonly WORKERS: number }): number {
  return WORKERS || availableParallelism()
}
