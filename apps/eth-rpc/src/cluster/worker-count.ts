import { availableParallelism } from 'node:os'

/** How many processes serve. A single one follows the chain itself, too. */
export function workerCount({ WORKERS }: { readonly WORKERS: number }): number {
  return WORKERS || availableParallelism()
}
