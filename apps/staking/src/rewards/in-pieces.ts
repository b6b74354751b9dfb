// What one answer of a node may tell of: more would be hundreds of megabytes.
const PIECE = 10_000

/** Asks about some at a time, one time after the other. */
export async function inPieces<T, R>(items: readonly T[], ask: (piece: readonly T[]) => Promise<readonly R[]>): Promise<R[]> {
  const answers: R[][] = []
  for (let from = 0; from < items.length; from += PIECE) answers.push([...(await ask(items.slice(from, from + PIECE)))])
  return answers.flat()
}

/** As `map`, with so many at once. */
export async function mapLimited<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += atOnce) results.push(...(await Promise.all(items.slice(from, from + atOnce).map(work))))
  return results
}
