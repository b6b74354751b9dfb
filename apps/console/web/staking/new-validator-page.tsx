import { Card, Radio, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useReducer, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { changeField, type FieldChange, textField } from '../parts/form.js'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { SubmitForm } from '../parts/submit-form.js'
import { platformClient } from '../platform/client.js'
import { idempotencyKey } from '../platform/idempotency.js'
import { fieldErrors } from '../platform/problem-message.js'
import { stakingTexts } from '../texts/staking.js'
import { AddressField } from './address-field.js'
import { useRegions, useStakingChains, validatorPath } from './use-staking.js'
import { canCreateValidator, creationKey, emptyValidator, typedDeposit, type ValidatorForm, validatorBody } from './validator-form.js'

const texts = stakingTexts.new

export function NewValidatorPage() {
  const chains = useStakingChains()
  const regions = useRegions()
  const both = {
    data: chains.data && regions.data && { chains: chains.data, regions: regions.data },
    error: chains.error ?? regions.error,
    refetch: () => Promise.all([chains.refetch(), regions.refetch()]),
  }
  return (
    <PageLayout title={texts.title} description={texts.description} above={[{ to: '/app/staking', label: stakingTexts.title }]}>
      <Card withBorder maw={640} p="lg">
        <Loaded query={both} rows={6}>
          {(places) => <ValidatorFields {...places} />}
        </Loaded>
      </Card>
    </PageLayout>
  )
}

function ValidatorFields({ chains, regions }: { chains: readonly string[]; regions: readonly string[] }) {
  const [search] = useSearchParams()
  const [form, dispatch] = useReducer(changeField<ValidatorForm>, emptyValidator({ chains, regions }, search.get('chain')))
  const creating = useCreation(form)
  const errors = fieldErrors(creating.error)
  return (
    <SubmitForm action={texts.submit} submission={creating} problem={creating.error} disabled={!canCreateValidator(form)} button="wide">
      <Choice
        label={stakingTexts.chain}
        data={chains}
        value={form.chain}
        onChange={(value) => dispatch({ type: 'changed', field: 'chain', value })}
      />
      <Choice
        label={stakingTexts.region}
        description={texts.regionHint}
        data={regions}
        value={form.region}
        onChange={(value) => dispatch({ type: 'changed', field: 'region', value })}
      />
      <AddressField
        {...textField(form, dispatch, 'withdrawalAddress')}
        label={texts.withdrawal}
        description={texts.withdrawalHint}
        error={errors['withdrawalAddress']}
        required
      />
      <AddressField
        {...textField(form, dispatch, 'feeAddress')}
        label={texts.fee}
        description={texts.feeHint}
        error={errors['feeAddress']}
      />
      <RewardsChoice form={form} dispatch={dispatch} />
    </SubmitForm>
  )
}

interface ChoiceProps {
  label: string
  description?: string
  data: readonly string[]
  value: string
  onChange: (value: string) => void
}

function Choice({ data, onChange, ...field }: ChoiceProps) {
  return <Select {...field} data={[...data]} onChange={(value) => value && onChange(value)} allowDeselect={false} />
}

function RewardsChoice({ form, dispatch }: { form: ValidatorForm; dispatch: (event: FieldChange<ValidatorForm>) => void }) {
  return (
    <>
      <Radio.Group
        label={texts.kind}
        value={form.rewards}
        onChange={(value) => dispatch({ type: 'changed', field: 'rewards', value: value === 'compounding' ? 'compounding' : 'execution' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="execution" label={texts.kinds.execution} />
          <Radio value="compounding" label={texts.kinds.compounding} />
        </Stack>
      </Radio.Group>
      <Text size="sm">
        <b>{texts.amount}:</b> {texts.amountText}
      </Text>
    </>
  )
}

/** Creates it once, however often the button is pressed for the same input. */
function useCreation(form: ValidatorForm) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [visit] = useState(idempotencyKey)
  return useMutation({
    mutationFn: () =>
      platformClient.staking.validators.create({
        params: { chain: form.chain },
        body: validatorBody(form),
        headers: { 'idempotency-key': creationKey(visit, form) },
      }),
    onSuccess: async (created) => {
      await client.invalidateQueries({ queryKey: ['staking'] })
      await navigate(validatorPath(created), { state: typedDeposit(form) })
    },
  })
}
