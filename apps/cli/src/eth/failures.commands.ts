import { ethRpc } from '@trestle/contracts/eth-rpc/api'
import type { FailedCall } from '@trestle/contracts/eth-rpc/failures'
import { chainOption, chosenChain } from '../chains/chain-choice.js'
import { type CommandRun, command, text } from '../command/command.js'
import { integerOf } from '../command/integer.js'
import { clock, millisOf } from '../output/duration.js'
import type { View } from '../output/view.js'
import { checkedCode, errorLine, failureFields, freshFailures } from './failure-views.js'
import { selectProject } from './project.js'

const CHAIN = chainOption('evm')
const WHICH = { project: { about: 'its name or the beginning of its id; required if you have several', optional: true } } as const
const FILTERS = {
  method: text('method', 'only this method'),
  code: text('code', 'only this code of JSON-RPC: --code=3 for reverts, --code=-32602'),
} as const
const base = '/{chain}'
const PAGE = 100
const POLL_INTERVAL_MS = 2000
const MAX_REMEMBERED = 1000

type FailuresRun = CommandRun<{ project: { about: string; optional: true } }, typeof CHAIN>

/** The calls of a chain, and the parameters that name the project. */
async function placeOf(run: FailuresRun) {
  const api = run.api.evm(await chosenChain(run, 'evm', run.options.chain))
  const { id } = selectProject(await api.projects.list(), run.args.project)
  return { api, params: { projectId: id } }
}

const errors = command({
  name: 'eth errors',
  about: 'How many calls through a project failed, by method, code and hour or day (UTC).',
  details: ['Kept for 30 days. What each was about: trestle eth failures.'],
  args: WHICH,
  options: {
    ...CHAIN,
    since: text('time', 'how far back, such as 24h or 30d', { default: '24h' }),
    by: text('step', 'the granularity', { choices: ['hour', 'day'], default: 'hour' }),
  },
  calls: { base, endpoints: [ethRpc.projects.list, ethRpc.errors.list] },
  examples: [
    ['trestle eth errors', 'the last 24 hours of your only project'],
    ['trestle eth errors mine --since 30d --by day', 'a month'],
  ],
  run: async (run) => {
    const { api, params } = await placeOf(run)
    const from = new Date(run.now().getTime() - millisOf(run.options.since, '--since')).toISOString()
    return api.errors.list({ params, query: { from, granularity: run.options.by } })
  },
  view: (reply) => ({
    head: ['TIME (UTC)', 'METHOD', 'CODE', 'KIND', 'CALLS'],
    rows: reply.errors.map(({ time, method, code, kind, count }) => [clock(time), method, code, kind, count]),
    none: 'No call failed in that time.',
  }),
})

const failures = command({
  name: 'eth failures',
  about: 'Samples of calls through a project that failed, newest first: what was asked, and what was answered.',
  details: [
    'Every answer has a request id in its header x-request-id. With --request, the calls of that request are shown in full.',
    'The newest 1,000 are kept, for 7 days; of many equal failures in a second a few. What may be a secret is left out.',
  ],
  args: WHICH,
  options: {
    ...CHAIN,
    ...FILTERS,
    request: text('id', 'the x-request-id of an answer; of a WebSocket that of the response that opened it'),
    limit: text('count', 'the maximum number', { default: '20' }),
  },
  calls: { base, endpoints: [ethRpc.projects.list, ethRpc.failures.list, ethRpc.failures.get] },
  examples: [
    ['trestle eth failures mine', 'the newest 20'],
    ['trestle eth failures mine --request 0b2c9a52-6f0e-4d6a-9d5b-0a4c1f0f2a11', 'why this one failed'],
    ['trestle eth failures mine --method eth_call --code 3', 'reverts'],
  ],
  run: async (run) => {
    const { method, code, request, limit } = run.options
    const { api, params } = await placeOf(run)
    if (request !== undefined) return api.failures.get({ params: { ...params, requestId: request } })
    const count = integerOf(limit, '--limit', 1, 1000)
    const found: FailedCall[] = []
    const query = { method, code: checkedCode(code), limit: String(Math.min(PAGE, count)) }
    for await (const page of api.failures.list.pages({ params, query })) {
      found.push(...page)
      if (found.length >= count) break
    }
    return found.slice(0, count)
  },
  view: (found, _now, { request }): View =>
    request === undefined
      ? {
          head: ['TIME (UTC)', 'METHOD', 'CODE', 'KIND', 'REQUEST', 'ERROR'],
          rows: found.map((each) => [clock(each.time), each.method, each.code, each.kind, each.requestId, errorLine(each)]),
          none: 'No call failed of late, or no samples are kept: see trestle eth errors.',
        }
      : found.map((each) => ({ fields: failureFields(each) })),
})

const tail = command({
  name: 'eth tail',
  about: 'Follow the calls through a project that fail, as they do, until Ctrl-C.',
  details: ['Of many equal failures in a second a few are printed. All are counted: trestle eth errors.'],
  args: WHICH,
  options: { ...CHAIN, ...FILTERS },
  calls: { base, endpoints: [ethRpc.projects.list, ethRpc.failures.list] },
  examples: [
    ['trestle eth tail mine', 'a line for each'],
    ['trestle eth tail mine --code 3 -o json', 'reverts, a line of JSON for each, for programs'],
  ],
  run: async (run) => {
    const { api, params } = await placeOf(run)
    const query = { method: run.options.method, code: checkedCode(run.options.code), limit: String(PAGE) }
    return follow(run, () => api.failures.list({ params, query }))
  },
  line: ({ time, method, code, kind, requestId, ...rest }: FailedCall) =>
    `${clock(time)}  ${requestId}  ${method}  ${code} ${kind}  ${errorLine(rest)}`,
})

async function* follow({ pause }: Pick<FailuresRun, 'pause'>, list: () => Promise<FailedCall[]>): AsyncGenerator<FailedCall> {
  let seen = new Set((await list()).map(({ id }) => id))
  for (;;) {
    await pause(POLL_INTERVAL_MS)
    const found = await list()
    yield* freshFailures(found, seen)
    seen = new Set([...found.map(({ id }) => id), ...seen].slice(0, MAX_REMEMBERED))
  }
}

export const failuresCommands = [errors, failures, tail]
