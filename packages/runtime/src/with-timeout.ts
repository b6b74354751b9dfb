/** Settles as the task does, or rejects when that takes longer than the limit. */
export async function withTimeout<T>(limitMs: number, task: () => Promise<T> | T): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`It took longer than ${limitMs} ms.`)), limitMs)
  try {
    return await Promise.race([task(), late])
  } finally {
    clearTimeout(timer)
  }
}
