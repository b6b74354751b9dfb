interface Ordered {
  readonly stream: string
  readonly key: string
}

/**
 * Publishes events: those of a key one after another, those of different keys at the same time. An event that is not stored
 * (`publish` resolves to false) ends its key, and no other of its stream is begun.
 */
export async function publishInOrder<T extends Ordered>(
  events: readonly T[],
  maxAtOnce: number,
  publish: (event: T) => Promise<boolean>,
): Promise<void> {
  const failed = new Set<string>()
  // The workers share one iterator.
  const keys = Map.groupBy(events, ({ stream, key }) => JSON.stringify([stream, key])).values()
  const publishAll = async (sameKey: readonly T[]) => {
    for (const event of sameKey) {
      if (failed.has(event.stream)) return
      if (!(await publish(event))) failed.add(event.stream)
    }
  }
  const worker = async () => {
    for (const sameKey of keys) await publishAll(sameKey)
  }
  await Promise.all(Array.from({ length: Math.min(maxAtOnce, events.length) }, worker))
}
