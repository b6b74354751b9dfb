import { Button, Card, Radio, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Loaded } from '../parts/loaded.js'
import { PageLayout } from '../parts/page-layout.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { trestle } from '../platform/client.js'
import { idempotencyKey } from '../platform/idempotency.js'
import { fieldErrors } from '../platform/problem-message.js'
import { stakingTexts } from '../texts/staking.js'
import { checkAddress } from './address.js'
import { AddressField } from './address-field.js'
import { useRegions, useStakingChains, validatorPath } from './use-staking.js'

const texts = stakingTexts.new

/** What the next page is told by this one: only what was typed here can show that another address was put in its place. */
export interface TypedDeposit {
  readonly withdrawalAddress: string
  readonly compounding: boolean
}

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
          {(places) => <NewForm {...places} />}
        </Loaded>
      </Card>
    </PageLayout>
  )
}

function NewForm({ chains, regions }: { chains: readonly string[]; regions: readonly string[] }) {
  const [search] = useSearchParams()
  const [chain, setChain] = useState(chains.find((each) => each === search.get('chain')) ?? chains[0] ?? '')
  const [region, setRegion] = useState(regions[0] ?? '')
  const [withdrawalAddress, setWithdrawalAddress] = useState('')
  const [feeAddress, setFeeAddress] = useState('')
  const [kind, setKind] = useState('execution')
  const typed: TypedDeposit = { withdrawalAddress: withdrawalAddress.trim(), compounding: kind === 'compounding' }
  const creating = useCreation({ chain, region, feeAddress: feeAddress.trim(), typed })
  const errors = fieldErrors(creating.error)
  const isComplete = isUsable(typed.withdrawalAddress) && (feeAddress.trim() === '' || isUsable(feeAddress.trim()))
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isComplete) creating.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Select
          label={stakingTexts.chain}
          data={[...chains]}
          value={chain}
          onChange={(value) => setChain(value ?? chain)}
          allowDeselect={false}
        />
        <Select
          label={stakingTexts.region}
          description={texts.regionHint}
          data={[...regions]}
          value={region}
          onChange={(value) => setRegion(value ?? region)}
          allowDeselect={false}
        />
        <AddressField
          label={texts.withdrawal}
          description={texts.withdrawalHint}
          value={withdrawalAddress}
          onChange={setWithdrawalAddress}
          error={errors['withdrawalAddress']}
          required
        />
        <AddressField
          label={texts.fee}
          description={texts.feeHint}
          value={feeAddress}
          onChange={setFeeAddress}
          error={errors['feeAddress']}
        />
        <Radio.Group label={texts.kind} value={kind} onChange={setKind}>
          <Stack gap="xs" mt="xs">
            <Radio value="execution" label={texts.kinds.execution} />
            <Radio value="compounding" label={texts.kinds.compounding} />
          </Stack>
        </Radio.Group>
        <Text size="sm">
          <b>{texts.amount}:</b> {texts.amountText}
        </Text>
        {creating.error && <ProblemNotice error={creating.error} />}
        <Button type="submit" loading={creating.isPending} disabled={!isComplete}>
          {texts.submit}
        </Button>
      </Stack>
    </form>
  )
}

/** Creates it once, however often the button is pressed for the same wishes. */
function useCreation({ chain, region, feeAddress, typed }: { chain: string; region: string; feeAddress: string; typed: TypedDeposit }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const body = { ...typed, region, ...(feeAddress !== '' && { feeAddress }) }
  const [visit] = useState(idempotencyKey)
  return useMutation({
    mutationFn: () => {
      const key = `${visit}:${[chain, ...Object.values(body)].join(':')}`
      return trestle.staking.validators.create({ params: { chain }, body, headers: { 'idempotency-key': key } })
    },
    onSuccess: async (created) => {
      await client.invalidateQueries({ queryKey: ['staking'] })
      await navigate(validatorPath(created), { state: typed })
    },
  })
}

function isUsable(address: string): boolean {
  return ['right', 'unchecked'].includes(checkAddress(address))
}
