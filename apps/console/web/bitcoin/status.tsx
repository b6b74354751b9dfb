import { Badge, Card, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SyncStatus } from '@trestle/contracts/btc-connect/status'
import { count } from '../parts/amount.js'
import { Facts } from '../parts/facts.js'
import { Loaded } from '../parts/loaded.js'
import { bitcoin } from '../texts/bitcoin.js'
import { useChain } from './chain.js'
import { pace } from './events.js'

const texts = bitcoin.status

/** How far the index is, and what it hears from its node. */
export function Status({ isLive }: { isLive: boolean }) {
  const { chain, api } = useChain()
  const sync = useQuery({
    queryKey: ['bitcoin', 'sync', chain],
    queryFn: () => api.status.sync(),
    refetchInterval: ({ state: { data } }) => (data?.status === 'finished' ? pace(isLive) : 2_000),
  })
  const peer = useQuery({ queryKey: ['bitcoin', 'peer', chain], queryFn: () => api.status.peer(), refetchInterval: 30_000 })
  const network = useQuery({ queryKey: ['bitcoin', 'network', chain], queryFn: () => api.status.show(), refetchInterval: 30_000 })
  const info = network.data?.info
  return (
    <Card withBorder component="section" aria-label={texts.label} mih={120}>
      <Loaded query={sync} rows={2}>
        {(state) => (
          <Stack gap="sm">
            <Facts
              columns={4}
              facts={[
                [texts.height, <Height key="height" state={state} isLive={isLive} />],
                [texts.index, texts.states[state.status]],
                [texts.node, <Node key="node" isConnected={peer.data?.connected} peers={info?.connections} />],
                [texts.network, info ? (texts.networks[info.network] ?? info.network) : '–'],
              ]}
            />
            <Progressing state={state} />
          </Stack>
        )}
      </Loaded>
    </Card>
  )
}

function Height({ state: { height }, isLive }: { state: SyncStatus; isLive: boolean }) {
  return (
    <Group gap="xs">
      <Text component="span" fw={650} aria-live="off">
        {count(height)}
      </Text>
      <Badge variant="light" color={isLive ? 'teal' : 'gray'} tt="none" title={isLive ? texts.liveTitle : texts.pollingTitle}>
        {isLive ? texts.live : texts.polling}
      </Badge>
    </Group>
  )
}

function Node({ isConnected, peers }: { isConnected?: boolean; peers?: number }) {
  if (isConnected === undefined) return '–'
  if (!isConnected) return <Text c="red">{texts.away}</Text>
  return texts.connected + (peers === undefined ? '' : `, ${texts.peers(peers)}`)
}

/** Only while there is something to wait for. */
function Progressing({ state }: { state: SyncStatus }) {
  const said = state.error ?? state.note
  if (state.status === 'finished' && !said) return null
  return (
    <Stack gap={4}>
      {state.status !== 'finished' && (
        <>
          <Progress value={state.syncPercentage} aria-label={texts.index} />
          <Text size="sm">{texts.left(state.syncPercentage, count(state.blocksLeft), state.secondsLeft)}</Text>
        </>
      )}
      {said && <Text size="sm">{said}</Text>}
    </Stack>
  )
}
