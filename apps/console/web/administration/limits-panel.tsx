import { Group, MultiSelect, NumberInput, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { MaxLimits } from '@trestle/contracts/eth-rpc/limits'
import { METHOD_NAMESPACES } from '@trestle/contracts/eth-rpc/projects'
import { useReducer } from 'react'
import { ConfirmButton } from '../parts/confirm-button.js'
import { FactList } from '../parts/fact-list.js'
import { changeField } from '../parts/form.js'
import { Loaded } from '../parts/loaded.js'
import { SectionTitle } from '../parts/panel.js'
import { SubmitForm } from '../parts/submit-form.js'
import { exactTime } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { problemByField } from '../platform/problem-by-field.js'
import { useServedChains } from '../platform/use-chains.js'
import { administrationTexts } from '../texts/administration.js'
import { canGrantLimits, type LimitsForm, limitsBody, limitsForm, MAX_LIMITS } from './limits-form.js'

const texts = administrationTexts.limits

/** How high a user may set the limits of projects, on each chain that has projects. */
export function LimitsPanels({ userId }: { userId: string }) {
  const chains = useServedChains().filter(({ family }) => family === 'evm')
  return chains.map(({ name, title }) => <LimitsPanel key={name} userId={userId} chain={name} title={title} />)
}

interface Whose {
  readonly userId: string
  readonly chain: string
}

export function LimitsPanel({ userId, chain, title }: Whose & { title: string }) {
  const limits = useQuery({
    queryKey: limitsKey({ userId, chain }),
    queryFn: () => platformClient.evm(chain).limits.get({ params: { userId } }),
    refetchInterval: 30_000,
  })
  return (
    <Stack component="section" gap="xs">
      <SectionTitle>{texts.title(title)}</SectionTitle>
      <Loaded query={limits} rows={3}>
        {(known) => (
          <>
            <FactList facts={[[texts.granted, known.grantedAt ? exactTime(known.grantedAt) : texts.never]]} />
            <LimitsFields key={`${known.perSecond} ${known.perDay} ${known.namespaces}`} userId={userId} chain={chain} limits={known} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

function LimitsFields({ userId, chain, limits }: Whose & { limits: MaxLimits }) {
  const [form, dispatch] = useReducer(changeField<LimitsForm>, limits, limitsForm)
  const { granting, revoke } = useGrant({ userId, chain }, form)
  const { fields, rest } = problemByField(granting.error)
  return (
    <SubmitForm
      action={texts.save}
      submission={granting}
      problem={rest}
      disabled={!canGrantLimits(form)}
      gap="sm"
      beside={
        limits.grantedAt !== undefined && (
          <ConfirmButton action={texts.revoke} title={texts.revokeTitle} onConfirm={revoke}>
            <Text>{texts.revokeText}</Text>
          </ConfirmButton>
        )
      }
    >
      <Text size="sm">{texts.text}</Text>
      <Group align="flex-start">
        {(['perSecond', 'perDay'] as const).map((field) => (
          <NumberInput
            key={field}
            label={texts[field]}
            value={form[field]}
            onChange={(value) => dispatch({ type: 'changed', field, value })}
            min={1}
            max={MAX_LIMITS[field]}
            allowDecimal={false}
            thousandSeparator=","
            required
            w={220}
            error={fields[field]}
          />
        ))}
      </Group>
      <MultiSelect
        label={texts.namespaces}
        description={texts.namespacesHint}
        data={[...METHOD_NAMESPACES]}
        value={[...form.namespaces]}
        onChange={(value) => dispatch({ type: 'changed', field: 'namespaces', value })}
        clearable
        error={fields.namespaces}
      />
    </SubmitForm>
  )
}

function useGrant(whose: Whose, form: LimitsForm) {
  const client = useQueryClient()
  const { limits } = platformClient.evm(whose.chain)
  const params = { userId: whose.userId }
  const show = (changed: MaxLimits) => client.setQueryData(limitsKey(whose), changed)
  const granting = useMutation({ mutationFn: async () => void show(await limits.grant({ params, body: limitsBody(form) })) })
  return { granting, revoke: async () => void show(await limits.revoke({ params })) }
}

function limitsKey({ userId, chain }: Whose) {
  return ['administration', 'limits', chain, userId]
}
