export interface PeriodicTask {
  /** Does not wait for the next turn. A run under way may have looked too early: another follows it. */
  runNow(): void
  stop(): void
}

/** Runs a task at once and then again and again, never two at a time, the delay in milliseconds asked for after each run. */
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
