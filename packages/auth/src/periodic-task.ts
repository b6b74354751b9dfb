export interface PeriodicTask {
  /** Runs without waiting for the delay. A run that is under way may have read too early, so another follows it. */
  runNow(): void
  stop(): void
}

/** Runs a task now and again after each delay, never two runs at a time. `delay` is called after each run, in milliseconds. */
export function runPeriodically(task: () => Promise<void>, delay: () => number): PeriodicTask {
  let timer: NodeJS.Timeout | undefined
  let running = false
  let again = false
  let stopped = false
  const run = async () => {
    running = true
    do {
      again = false
      await task()
    } while (again && !stopped)
    running = false
    if (!stopped) timer = setTimeout(run, delay()).unref()
  }
  void run()
  return {
    runNow() {
      again = true
      clearTimeout(timer)
      if (!running && !stopped) void run()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
