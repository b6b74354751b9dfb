type AnyCall = (...given: unknown[]) => unknown

/** The names of calls that give one answer after the other. */
const GENERATORS: ReadonlySet<string> = new Set(['pages', 'stream'])

/** Calls by their names, of what is loaded when the first of them is made. */
export function lazyCalls<T extends object>(load: () => Promise<T>): T {
  let loading: Promise<T> | undefined
  function loaded(): Promise<T> {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  return callAt([], loaded) as T
}

function callAt(path: readonly string[], loaded: () => Promise<object>): unknown {
  const found = async () => path.reduce((at, name) => Reflect.get(at, name) as object, await loaded()) as AnyCall
  const call = GENERATORS.has(path.at(-1) ?? '')
    ? async function* (...given: unknown[]) {
        yield* (await found())(...given) as AsyncIterable<unknown>
      }
    : async (...given: unknown[]) => (await found())(...given)
  return new Proxy(call, { get: (_, name) => callAt([...path, String(name)], loaded) })
}
