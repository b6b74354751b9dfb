import { Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PlanInUse } from '@trestle/contracts/nodes/plans'
import { useReducer } from 'react'
import { formatCount } from '../parts/amount.js'
import { utcDay } from '../parts/days.js'
import { FactList } from '../parts/fact-list.js'
import { changeField, textField } from '../parts/form.js'
import { Loaded } from '../parts/loaded.js'
import { SectionTitle } from '../parts/panel.js'
import { SubmitForm } from '../parts/submit-form.js'
import { exactTime } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { administrationTexts } from '../texts/administration.js'
import { canSetQuota, MAX_QUOTA, type QuotaForm, quotaBody, quotaForm } from './quota-form.js'

const texts = administrationTexts.plan

/** How many nodes and clusters a user may have, and has. */
export function QuotaPanel({ userId }: { userId: string }) {
  const plan = useQuery({
    queryKey: ['administration', 'plan', userId],
    queryFn: () => platformClient.nodes.plans.get({ params: { userId } }),
    refetchInterval: 30_000,
  })
  return (
    <Stack component="section" gap="xs">
      <SectionTitle>{texts.title}</SectionTitle>
      <Loaded query={plan} rows={4}>
        {(known) => (
          <>
            <InUse plan={known} />
            <QuotaFields userId={userId} plan={known} />
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

function QuotaFields({ userId, plan }: { userId: string; plan: PlanInUse }) {
  const [form, dispatch] = useReducer(changeField<QuotaForm>, plan, quotaForm)
  const setting = useSetting(userId, form)
  const { fields, rest } = problemByField(setting.error)
  return (
    <SubmitForm action={texts.save} submission={setting} problem={rest} disabled={!canSetQuota(form)} gap="sm">
      <Text size="sm">{texts.text}</Text>
      <Group align="flex-start">
        {(['nodes', 'clusters'] as const).map((field) => (
          <NumberInput
            key={field}
            label={texts[field]}
            value={form[field]}
            onChange={(value) => dispatch({ type: 'changed', field, value })}
            min={0}
            max={MAX_QUOTA}
            allowDecimal={false}
            required
            w={130}
            error={fields[field]}
          />
        ))}
        <TextInput
          {...textField(form, dispatch, 'until')}
          type="date"
          label={texts.until}
          min={utcDay(new Date())}
          required
          w={170}
          error={fields['expiresAt']}
        />
      </Group>
      <Saved plan={setting.data} />
    </SubmitForm>
  )
}

function Saved({ plan }: { plan: { nodes: number; clusters: number; expiresAt: string } | undefined }) {
  return (
    <Text size="sm" mih={22} aria-live="polite">
      {plan && texts.saved(plan.nodes, plan.clusters, exactTime(plan.expiresAt))}
    </Text>
  )
}

function useSetting(userId: string, form: QuotaForm) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => platformClient.nodes.plans.set({ params: { userId }, body: quotaBody(form, new Date()) }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['administration', 'plan', userId] }),
  })
}
