import { useQuery } from '@tanstack/react-query'
import { platformClient } from '../platform/client.js'
import { chainsOf } from '../platform/use-chains.js'

const STEADY_MS = 30_000
const DAY_MS = 86_400_000
/** Usage is read of the newest nodes, clusters and projects only. */
const MAX_USAGE_QUERIES = 20

export function useAllValidators() {
  return useQuery({
    queryKey: ['overview', 'validators'],
    queryFn: async () => {
      const chains = await platformClient.staking.chains.list()
      return allOf(chains.map((chain) => platformClient.staking.validators.list({ params: { chain } })))
    },
    refetchInterval: STEADY_MS,
  })
}

export function useAllProjects() {
  return useQuery({
    queryKey: ['overview', 'projects'],
    queryFn: async () => allOf((await chainsOf('eth-rpc')).map(({ name }) => platformClient.evm(name).projects.list())),
    refetchInterval: STEADY_MS,
  })
}

export function useClientKeys() {
  return useQuery({ queryKey: ['overview', 'keys'], queryFn: () => platformClient.accounts.clientKeys.list(), refetchInterval: STEADY_MS })
}

/** Calls to nodes and clusters in the last day. */
export function useNodesUsage() {
  return useQuery({ queryKey: ['overview', 'nodes usage'], queryFn: nodesUsage, refetchInterval: STEADY_MS })
}

/** Calls to projects in the last day. */
export function useProjectsUsage() {
  return useQuery({ queryKey: ['overview', 'projects usage'], queryFn: () => projectsUsage('hour', 1), refetchInterval: STEADY_MS })
}

/** Whether the user has ever created a node and made a call; polled until both are true. */
export function useFirstSteps() {
  return useQuery({
    queryKey: ['overview', 'firsts'],
    queryFn: async () => {
      const [nodes, usages] = await Promise.all([
        platformClient.nodes.nodes.list({ query: { all: 'true' } }),
        Promise.all([nodesUsage(), projectsUsage('day', 99)]),
      ])
      return { node: nodes.length > 0, call: usages.flat().some(({ calls }) => calls > 0) }
    },
    refetchInterval: ({ state }) => (state.data?.node && state.data.call ? false : STEADY_MS / 3),
  })
}

async function nodesUsage() {
  const [nodes, clusters] = await Promise.all([platformClient.nodes.nodes.list(), platformClient.nodes.clusters.list()])
  const { ofNode, ofCluster } = platformClient.nodes.usage
  const asked = [
    ...nodes.slice(-MAX_USAGE_QUERIES).map(({ id }) => ofNode({ params: { id } })),
    ...clusters.slice(-MAX_USAGE_QUERIES).map(({ id }) => ofCluster({ params: { id } })),
  ]
  return allOf(asked.map((each) => each.then(({ usage }) => usage)))
}

async function projectsUsage(granularity: 'hour' | 'day', days: number) {
  const from = new Date(Date.now() - days * DAY_MS).toISOString()
  const asked = (await chainsOf('eth-rpc')).map(async ({ name }) => {
    const { projects: ofChain, usage } = platformClient.evm(name)
    const projects = await ofChain.list()
    const query = { from, granularity }
    return allOf(
      projects.slice(0, MAX_USAGE_QUERIES).map(({ id }) => usage.list({ params: { projectId: id }, query }).then((listed) => listed.usage)),
    )
  })
  return allOf(asked)
}

/** The rows of all requests that succeed: the overview shows elsewhere what is down. Throws only if all fail. */
async function allOf<T>(questions: readonly Promise<readonly T[]>[]): Promise<T[]> {
  const answers = await Promise.allSettled(questions)
  const first = answers.find((answer) => answer.status === 'rejected')
  if (first && answers.every(({ status }) => status === 'rejected')) throw first.reason
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}
