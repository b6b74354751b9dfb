/** Settles like the task, or rejects after the time limit. */
export async function withTimeout<T>(limitMs: number, task: () => Promise<T> | T): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`Timed out after ${limitMs} ms.`)), limitMs)
  try {
    return await Promise.race([task(), late])
  } finally {
    clearTimeout(timer)
  }
}
