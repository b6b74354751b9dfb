/** Runs a task at once and then again and again, never two at a time, the delay in milliseconds asked for after each run. */
export function repeat(task: () => Promise<void>, delay: () => number): { stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const run = async () => {
    await task()
    if (!stopped) timer = setTimeout(run, delay()).unref()
  }
  void run()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
