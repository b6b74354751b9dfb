import type { FailedCall } from '@trestle/contracts/eth-rpc/failures'
import { EXIT, Failure } from '../failure/failure.js'
import { clock } from '../output/duration.js'
import type { Sheet } from '../output/view.js'

const MAX_TEXT = 80

/** A code as it was typed. */
export function checkedCode(text: string | undefined): string | undefined {
  if (text === undefined || /^(0|-?[1-9]\d{0,9})$/.test(text)) return text
  throw new Failure(EXIT.usage, `--code cannot be "${text}".`, 'It is a code of JSON-RPC, such as 3 or -32602.')
}

/** What was answered, in a line. */
export function errorLine({ error, upstream }: Pick<FailedCall, 'error' | 'upstream'>): string {
  const message = error.message.length > MAX_TEXT ? `${error.message.slice(0, MAX_TEXT)}...` : error.message
  return upstream === undefined ? message : `${upstream}: ${message}`
}

export function failureFields(call: FailedCall): Sheet['fields'] {
  const { request, error, attempts, ms } = call
  return [
    ['time (UTC)', clock(call.time)],
    ['request', call.requestId],
    ['method', call.method],
    ['code', `${call.code} (${call.kind})`],
    ['message', error.message],
    ['data', jsonOf(error.data)],
    ['id', request.id],
    ['params', jsonOf(request.params)],
    ['took', `${ms} ms`],
    ['key', call.key && `${call.key.name} (${call.key.number})`],
    ['node', call.upstream],
    ['in vain', attempts?.map(({ upstream, outcome }) => `${upstream}: ${outcome}`).join(', ')],
    ['from cache', call.cached && 'yes'],
  ]
}

/** Those not seen yet, oldest first. */
export function freshFailures(found: readonly FailedCall[], seen: ReadonlySet<string>): FailedCall[] {
  return found.filter(({ id }) => !seen.has(id)).toReversed()
}

function jsonOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
