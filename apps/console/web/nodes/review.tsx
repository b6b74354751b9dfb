import { Alert, Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Problem } from '@trestle/problem/problem'
import { Link, useNavigate } from 'react-router'
import { Facts } from '../parts/facts.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { trestle } from '../platform/client.js'
import { nodes } from '../texts/nodes.js'
import { readAddresses } from './addresses.js'
import type { Kind } from './holding.js'
import { usePlan } from './queries.js'
import { mebibytes } from './services.js'
import { isOpenToAll, orderOf, type StepProps, type Wishes } from './wishes.js'

const texts = nodes.wizard

interface ReviewProps extends StepProps {
  idempotencyKey: string
  back: () => void
}

/** What was chosen, and the button that makes it. */
export function Review({ kind, offers, wishes, idempotencyKey, back }: ReviewProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const creating = useMutation({
    mutationFn: () => create(kind, wishes, idempotencyKey),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['nodes', kind, 'list'] })
      await navigate(`/app/${kind}s/${id}`)
    },
  })
  return (
    <Stack>
      <Card withBorder>
        <Stack>
          <Title order={2} size="h4">
            {texts.review}
          </Title>
          <Chosen kind={kind} offers={offers} wishes={wishes} />
          <Text size="sm" c="dimmed">
            {texts.changeable} <Room kind={kind} />
          </Text>
        </Stack>
      </Card>
      {isOpenToAll(wishes) && (
        <Alert color="orange" variant="light">
          {texts.openToAll}
        </Alert>
      )}
      {creating.error && <Refusal kind={kind} error={creating.error} />}
      <Group justify="space-between">
        <Button variant="default" onClick={back}>
          {texts.back}
        </Button>
        <Button onClick={() => creating.mutate()} loading={creating.isPending}>
          {texts.create}
        </Button>
      </Group>
    </Stack>
  )
}

async function create(kind: Kind, wishes: Wishes, key: string): Promise<{ id: string }> {
  const headers = { 'idempotency-key': key }
  if (kind === 'cluster') return trestle.nodes.clusters.create({ headers, body: orderOf(kind, wishes, new Date()) })
  const { authType, ...order } = orderOf(kind, wishes, new Date())
  return trestle.nodes.nodes.create({ headers, body: { ...order, authType: authType === 'jwt' ? 'jwt' : 'basic' } })
}

function Chosen({ kind, offers, wishes }: Pick<StepProps, 'kind' | 'offers' | 'wishes'>) {
  const offer = offers.find(({ id }) => id === wishes.offer)
  const service = offer?.services.find(({ id }) => id === wishes.serviceId)
  if (!offer || !service) return null
  const { software, performance, cpus, memoryMiB, diskGiB } = service.metadata
  const size = [texts.cpus(cpus), texts.memory(mebibytes(memoryMiB)), texts.disk(mebibytes(diskGiB * 1024))]
  const { addresses } = readAddresses(wishes.allowedIps)
  return (
    <Facts
      facts={[
        [texts.steps.chain, nodes.titleOf(offer.chain, offer.network)],
        [texts.version, software],
        [nodes.page.fact.size, `${nodes.sizes[performance]}: ${size.join(', ')}`],
        kind === 'cluster' && [texts.capacity, wishes.capacity],
        kind === 'cluster' && wishes.alias !== '' && [texts.alias, wishes.alias],
        [texts.auth, texts.auths[wishes.authType].label],
        [nodes.settings.allowedIps, addresses.length > 0 ? addresses.join(', ') : nodes.connect.anywhere],
        [nodes.settings.lifetime, nodes.settings.ttls[wishes.ttl]],
      ]}
    />
  )
}

/** How many more the plan has room for. */
function Room({ kind }: { kind: Kind }) {
  const plan = usePlan()
  const client = useQueryClient()
  const held = client.getQueryData<unknown[]>(['nodes', kind, 'list'])
  if (!plan.data || !held) return null
  const left = Math.max((kind === 'node' ? plan.data.nodes : plan.data.clusters) - held.length, 0)
  return texts.left(left, texts.units[kind](left))
}

function Refusal({ kind, error }: { kind: Kind; error: unknown }) {
  const isFull = error instanceof Problem && error.code === 'LimitExceeded'
  if (!isFull) return <ProblemNotice error={error} />
  return (
    <Alert color="orange" variant="light" title={error.detail} role="alert">
      {texts.quota}{' '}
      <Anchor component={Link} to={`/app/${kind}s`} size="sm" underline="always">
        {texts.see}
      </Anchor>
    </Alert>
  )
}
