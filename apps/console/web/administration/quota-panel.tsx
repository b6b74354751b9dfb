import { Button, Group, NumberInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PlanInUse } from '@trestle/contracts/nodes/plans'
import type { FormEvent } from 'react'
import { keyExpiresAt } from '../accounts/key-expiry.js'
import { formatCount } from '../parts/amount.js'
import { FactList } from '../parts/fact-list.js'
import { Loaded } from '../parts/loaded.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { exactTime } from '../parts/time.js'
import { trestle } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { administrationTexts } from '../texts/administration.js'

const texts = administrationTexts.plan
const MAX_QUOTA = 1_000_000

/** How many nodes and clusters somebody may have, and has. */
export function QuotaPanel({ userId }: { userId: string }) {
  const plan = useQuery({
    queryKey: ['administration', 'plan', userId],
    queryFn: () => trestle.nodes.plans.get({ params: { userId } }),
    refetchInterval: 30_000,
  })
  return (
    <Stack component="section" gap="xs">
      <Title order={2} size="h4">
        {texts.title}
      </Title>
      <Loaded query={plan} rows={4}>
        {(known) => (
          <>
            <InUse plan={known} />
            <QuotaForm userId={userId} plan={known} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

function InUse({ plan: { nodes, clusters, used, startsAt, expiresAt } }: { plan: PlanInUse }) {
  return (
    <FactList
      columns={4}
      facts={[
        [texts.nodes, texts.has(formatCount(used.nodes), formatCount(nodes))],
        [texts.clusters, texts.has(formatCount(used.clusters), formatCount(clusters))],
        [texts.began, startsAt ? exactTime(startsAt) : texts.notBegun],
        expiresAt !== null && [texts.ends, exactTime(expiresAt)],
      ]}
    />
  )
}

function QuotaForm({ userId, plan }: { userId: string; plan: PlanInUse }) {
  const client = useQueryClient()
  const setting = useMutation({
    mutationFn: (form: FormData) =>
      trestle.nodes.plans.set({
        params: { userId },
        body: {
          nodes: Number(form.get('nodes')),
          clusters: Number(form.get('clusters')),
          expiresAt: keyExpiresAt('day', String(form.get('until')), new Date()) ?? '',
        },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['administration', 'plan', userId] }),
  })
  const { fields, rest } = problemByField(setting.error)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setting.mutate(new FormData(event.currentTarget))
  }
  return (
    <>
      <Text size="sm">{texts.text}</Text>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Group align="flex-start">
            <NumberInput
              name="nodes"
              label={texts.nodes}
              defaultValue={plan.nodes}
              min={0}
              max={MAX_QUOTA}
              allowDecimal={false}
              required
              w={130}
              error={fields['nodes']}
            />
            <NumberInput
              name="clusters"
              label={texts.clusters}
              defaultValue={plan.clusters}
              min={0}
              max={MAX_QUOTA}
              allowDecimal={false}
              required
              w={130}
              error={fields['clusters']}
            />
            <TextInput
              name="until"
              type="date"
              label={texts.until}
              min={new Date().toISOString().slice(0, 10)}
              required
              w={170}
              error={fields['expiresAt']}
            />
          </Group>
          {rest !== undefined && <ProblemNotice error={rest} />}
          <Text size="sm" mih={22} aria-live="polite">
            {setting.data && texts.saved(setting.data.nodes, setting.data.clusters, exactTime(setting.data.expiresAt))}
          </Text>
          <Group>
            <Button type="submit" loading={setting.isPending}>
              {texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  )
}
