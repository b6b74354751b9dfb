import { isObject, type Params } from './params.js'

/** Where a method has the options of its tracer. */
const OPTIONS: Readonly<Record<string, number>> = {
  debug_traceTransaction: 1,
  debug_traceCall: 2,
  debug_traceCallMany: 2,
  debug_traceBlock: 1,
  debug_traceBlockByNumber: 1,
  debug_traceBlockByHash: 1,
  debug_intermediateRoots: 1,
}
const NAME = /^\w{1,40}$/

/**
 * Whether a trace takes only what a node allows by itself: a tracer may also be a program, which the node carries out, for as long as
 * `timeout` says; `reexec` is how many blocks it carries out again. Go reads names without regard to case.
 */
export function isPlainTrace(method: string, params: Params): boolean {
  const options = params[OPTIONS[method] ?? params.length]
  if (!isObject(options)) return true
  return Object.entries(options).every(([name, value]) => {
    const folded = name.toLowerCase().toUpperCase()
    if (folded === 'TIMEOUT' || folded === 'REEXEC') return false
    return folded !== 'TRACER' || (typeof value === 'string' && NAME.test(value)) || value === null
  })
}
