import type { Logger } from './logger.js'

/** Stops this process in order when it is told to, and ends it when it crashes; the answer takes that back. */
export function stopOnSignals(stop: () => Promise<void>, logger: Logger): () => void {
  let signalled = false
  const crash = (error: unknown) => {
    logger.fatal({ err: error }, 'the process crashed')
    process.exit(1)
  }
  const onSignal = () => {
    // The second signal is from somebody who will not wait.
    if (signalled) process.exit(1)
    signalled = true
    stop().then(() => process.exit(0), crash)
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal).on('uncaughtException', crash)
  return () => void process.off('SIGTERM', onSignal).off('SIGINT', onSignal).off('uncaughtException', crash)
}
