let shutdown: (() => Promise<void>) | undefined

/** Told by `tracing.ts` when it runs; a service without tracing loads none of its libraries. */
export function onTracingShutdown(stop: () => Promise<void>): void {
  shutdown = stop
}

/** Sends the spans still in memory. */
export async function stopTracing(): Promise<void> {
  await shutdown?.()
}
