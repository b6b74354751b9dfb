import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Validator } from '@trestle/contracts/staking/validators'
import { useState } from 'react'
import { Loaded } from '../parts/loaded.js'
import { Panel } from '../parts/panel.js'
import { stakingTexts } from '../texts/staking.js'
import { AddressField } from './address-field.js'
import { CheckList } from './check-list.js'
import { checkDeposit } from './deposit-checks.js'
import { DepositTransactionPanel } from './deposit-transaction-panel.js'
import { type DepositNetwork, depositNetwork } from './networks.js'
import { isUsableAddress, type TypedDeposit } from './validator-form.js'

const texts = stakingTexts.deposit

interface DepositPanelProps {
  validator: Validator
  depositData: string
  /** What was typed a moment ago, when it was created. */
  typed: TypedDeposit | undefined
}

/** The deposit, checked in the browser before anything is sent. */
export function DepositPanel(props: DepositPanelProps) {
  const { chain } = props.validator
  const network = depositNetwork(chain)
  return (
    <Panel title={texts.title}>
      <Text c="dimmed" maw={760}>
        {texts.text}
      </Text>
      {network ? <Verification {...props} network={network} /> : <Alert color="red">{texts.unknownChain(chain)}</Alert>}
    </Panel>
  )
}

function Verification({ validator, depositData, typed, network }: DepositPanelProps & { network: DepositNetwork }) {
  const [yours, setYours] = useState(typed?.withdrawalAddress ?? '')
  const withdrawalAddress = yours.trim()
  const isGiven = isUsableAddress(withdrawalAddress)
  const compounding = typed?.compounding ?? validator.compounding
  const { pubkey } = validator
  const checks = useQuery({
    queryKey: ['staking', 'deposit', pubkey, depositData, withdrawalAddress, compounding],
    queryFn: async () => {
      const { isSignedBy } = await import('./deposit-signature.js')
      return checkDeposit({ depositData, pubkey, withdrawalAddress, compounding }, network, isSignedBy)
    },
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (earlier) => earlier,
  })
  return (
    <>
      <AddressField
        label={texts.yours}
        description={texts.yoursHint}
        value={yours}
        onChange={(event) => setYours(event.currentTarget.value)}
      />
      <Loaded query={checks} rows={6}>
        {(all) => {
          // Without an address to compare with, that check is hidden.
          const shown = isGiven ? all : all.filter(({ name }) => name !== 'address')
          const passed = shown.every((check) => check.passed)
          return (
            <>
              <CheckList checks={shown} />
              <ChecksSummary passed={passed} isGiven={isGiven} />
              {passed && isGiven && !checks.isPlaceholderData && (
                <DepositTransactionPanel validator={validator} depositData={depositData} network={network} />
              )}
            </>
          )
        }}
      </Loaded>
    </>
  )
}

function ChecksSummary({ passed, isGiven }: { passed: boolean; isGiven: boolean }) {
  const text = passed ? (isGiven ? texts.allPassed : texts.yoursMissing) : texts.someFailed
  return (
    <Alert color={passed ? (isGiven ? 'teal' : 'yellow') : 'red'} variant="light" role={passed ? 'status' : 'alert'}>
      {text}
    </Alert>
  )
}
