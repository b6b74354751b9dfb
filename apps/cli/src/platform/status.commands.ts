import { DEPLOYMENTS } from '@trestle/contracts/areas'
import type { ChainDescription } from '@trestle/contracts/chains/discovery'
import { discoveredChains } from '../chains/chain-choice.js'
import { type CommandRun, command } from '../command/command.js'
import { EXIT } from '../failure/failure.js'
import { stateCell } from '../output/view.js'
import { type AreaHealth, areaStateOf } from './health.js'

const TIMEOUT_MS = 5000

type Area = Pick<ChainDescription, 'name' | 'basePath'>

const status = command({
  name: 'status',
  about: 'Check every area of the platform. Exit code 1 if one is down.',
  details: ['Needs no login.'],
  examples: [
    ['trestle status', 'with versions and latencies'],
    ['trestle status -o json || echo "something is down"', 'in a script'],
  ],
  async run(run) {
    const areas = await Promise.all((await areasOf(run)).map((area) => healthOf(run, area)))
    if (areas.some(({ state }) => state === 'down')) run.outcome.exit = EXIT.unexpected
    if (areas.every(({ reason }) => reason === UNREACHABLE || reason === SILENT)) run.outcome.exit = EXIT.unreachable
    return { platform: run.session.url, areas }
  },
  view: ({ areas }) => ({
    head: ['AREA', 'STATE', 'VERSION', 'LATENCY', ''],
    rows: areas.map(({ name, state, version, latencyMs, reason }) => [name, stateCell(state), version, `${latencyMs} ms`, reason]),
  }),
})

/** The usual areas, whether they are deployed or not, and the other chains that are served. */
async function areasOf({ session, signal }: CommandRun): Promise<readonly Area[]> {
  const usual = DEPLOYMENTS.filter(({ app }) => app !== 'console')
  const others = ((await discoveredChains({ session, signal, timeoutMs: TIMEOUT_MS })) ?? []).filter(
    ({ name }) => !usual.some((area) => area.name === name),
  )
  return [...usual, ...others]
}

const UNREACHABLE = 'unreachable'
const SILENT = `no response in ${TIMEOUT_MS / 1000} s`

async function healthOf({ session, fetch, signal }: CommandRun, { name, basePath }: Area): Promise<AreaHealth> {
  const started = performance.now()
  const latency = () => Math.round(performance.now() - started)
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    // With a slash: without one, the nodes area has a list for administrators there.
    const response = await fetch(`${session.url}${basePath}/`, { signal: AbortSignal.any([signal, timeout]) })
    const answer: unknown = await response.json().catch(() => undefined)
    return { name, ...areaStateOf(response.status, answer), latencyMs: latency() }
  } catch {
    return { name, state: 'down', latencyMs: latency(), reason: timeout.aborted ? SILENT : UNREACHABLE }
  }
}

export const statusCommands = [status]
