import { Alert, Anchor, Button, Card, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Problem } from '@trestle/problem/problem'
import { Link, useNavigate } from 'react-router'
import { FactList } from '../parts/fact-list.js'
import { SectionTitle } from '../parts/panel.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { platformClient } from '../platform/client.js'
import { nodesTexts } from '../texts/nodes.js'
import { readAddresses } from './addresses.js'
import { mebibytes } from './services.js'
import { usePlan } from './use-nodes.js'
import type { NodeOrClusterKind } from './workload.js'
import { isOpenToAll, type StepProps, type WorkloadForm, workloadBody } from './workload-form.js'

const texts = nodesTexts.wizard

interface ReviewProps extends StepProps {
  idempotencyKey: string
  back: () => void
}

/** The chosen options, and the button that creates it. */
export function ReviewStep({ kind, offers, form, idempotencyKey, back }: ReviewProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const creating = useMutation({
    mutationFn: () => create(kind, form, idempotencyKey),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['nodes', kind, 'list'] })
      await navigate(`/app/${kind}s/${id}`)
    },
  })
  return (
    <Stack>
      <Card withBorder>
        <Stack>
          <SectionTitle>{texts.review}</SectionTitle>
          <Chosen kind={kind} offers={offers} form={form} />
          <Text size="sm" c="dimmed">
            {texts.changeable} <Room kind={kind} />
          </Text>
        </Stack>
      </Card>
      {isOpenToAll(form) && (
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

async function create(kind: NodeOrClusterKind, form: WorkloadForm, key: string): Promise<{ id: string }> {
  const headers = { 'idempotency-key': key }
  if (kind === 'cluster') return platformClient.nodes.clusters.create({ headers, body: workloadBody(kind, form, new Date()) })
  const { authType, ...order } = workloadBody(kind, form, new Date())
  return platformClient.nodes.nodes.create({ headers, body: { ...order, authType: authType === 'jwt' ? 'jwt' : 'basic' } })
}

function Chosen({ kind, offers, form }: Pick<StepProps, 'kind' | 'offers' | 'form'>) {
  const offer = offers.find(({ id }) => id === form.offer)
  const service = offer?.services.find(({ id }) => id === form.serviceId)
  if (!offer || !service) return null
  const { software, performance, cpus, memoryMiB, diskGiB } = service.metadata
  const size = [texts.cpus(cpus), texts.memory(mebibytes(memoryMiB)), texts.disk(mebibytes(diskGiB * 1024))]
  const { addresses } = readAddresses(form.allowedIps)
  return (
    <FactList
      facts={[
        [texts.steps.chain, nodesTexts.titleOf(offer.chain, offer.network)],
        [texts.version, software],
        [nodesTexts.page.fact.size, `${nodesTexts.sizes[performance]}: ${size.join(', ')}`],
        kind === 'cluster' && [texts.capacity, form.capacity],
        kind === 'cluster' && form.alias !== '' && [texts.alias, form.alias],
        [texts.auth, texts.auths[form.authType].label],
        [nodesTexts.settings.allowedIps, addresses.length > 0 ? addresses.join(', ') : nodesTexts.connect.anywhere],
        [nodesTexts.settings.lifetime, nodesTexts.settings.ttls[form.ttl]],
      ]}
    />
  )
}

/** How many more the plan has room for. */
function Room({ kind }: { kind: NodeOrClusterKind }) {
  const plan = usePlan()
  const client = useQueryClient()
  const existing = client.getQueryData<unknown[]>(['nodes', kind, 'list'])
  if (!plan.data || !existing) return null
  const left = Math.max((kind === 'node' ? plan.data.nodes : plan.data.clusters) - existing.length, 0)
  return texts.left(left, texts.units[kind](left))
}

function Refusal({ kind, error }: { kind: NodeOrClusterKind; error: unknown }) {
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
