let shutdown: (() => Promise<void>) | undefined

/** Called by `tracing.ts` if it runs; a service without tracing loads none of its libraries. */
export function onTracingShutdown(stop: () => Promise<void>): void {
  shutdown = stop
}

/** Sends the spans still in memory. */
export async function stopTracing(): Promise<void> {
  await shutdown?.()
}
