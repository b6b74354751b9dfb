import type { Logger } from './logger.js'

/** Stops this process in order on a signal, and ends it on a crash. Returns a function that removes the listeners. */
export function stopOnSignals(stop: () => Promise<void>, logger: Logger): () => void {
  let signalled = false
  const crash = (error: unknown) => {
    logger.fatal({ err: error }, 'the process crashed')
    process.exit(1)
  }
  const onSignal = () => {
    // Whoever sends a second signal will not wait.
    if (signalled) process.exit(1)
    signalled = true
    stop().then(() => process.exit(0), crash)
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal).on('uncaughtException', crash)
  return () => void process.off('SIGTERM', onSignal).off('SIGINT', onSignal).off('uncaughtException', crash)
}
