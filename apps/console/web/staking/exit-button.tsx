import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Validator } from '@trestle/contracts/staking/validators'
import { Problem } from '@trestle/problem/problem'
import { useState } from 'react'
import { ConfirmButton } from '../parts/confirm-button.js'
import { Hash } from '../parts/copy-button.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { trestle } from '../platform/client.js'
import { stakingTexts } from '../texts/staking.js'
import { depositNetwork } from './networks.js'
import { injectedWallet, signWith } from './wallet.client.js'

const texts = stakingTexts.exit

/** Asks for the whole key before it ends a validator; and for a signature, where the platform wants one. */
export function ExitButton({ validator }: { validator: Validator }) {
  const { chain, pubkey, withdrawalAddress } = validator
  const client = useQueryClient()
  const [date, setDate] = useState<string>()
  const [signature, setSignature] = useState('')
  async function exit() {
    const body = date === undefined ? undefined : { confirmationDate: date, confirmationSignature: signature.trim() }
    try {
      await trestle.staking.validators.exit({ params: { chain, pubkey }, body })
    } catch (error) {
      // It says so only when it is asked.
      if (error instanceof Problem && error.code === 'ExitNotConfirmed') setDate(date ?? new Date().toISOString())
      throw error
    }
    await client.invalidateQueries({ queryKey: ['staking'] })
  }
  return (
    <ConfirmButton action={texts.action} title={texts.question} word={`0x${pubkey}`} onConfirm={exit}>
      <Alert color="red" variant="light">
        {texts.irreversible}
      </Alert>
      <Text style={{ overflowWrap: 'anywhere' }}>{texts.happens(withdrawalAddress)}</Text>
      <Text>{texts.takes[depositNetwork(chain)?.isQuick ? 'quick' : 'usual']}</Text>
      {date !== undefined && (
        <Confirmation
          text={`${chain}:${pubkey}:${date}`}
          address={withdrawalAddress}
          signature={signature}
          onSigned={setSignature}
          onRenew={() => setDate(new Date().toISOString())}
        />
      )}
    </ConfirmButton>
  )
}

interface ConfirmationProps {
  text: string
  address: string
  signature: string
  onSigned: (signature: string) => void
  onRenew: () => void
}

/** The withdrawal address agrees (ERC-191). */
function Confirmation({ text, address, signature, onSigned, onRenew }: ConfirmationProps) {
  const wallet = injectedWallet()
  const signing = useMutation({ mutationFn: async () => wallet && onSigned(await signWith(wallet, text, address)) })
  return (
    <Stack gap="xs">
      <Text>{texts.signature}</Text>
      <Text size="sm" component="div">
        {texts.toSign}: <Hash value={text} />
      </Text>
      {wallet && (
        <Button variant="default" onClick={() => signing.mutate()} loading={signing.isPending}>
          {texts.signHere}
        </Button>
      )}
      {signing.error && <ProblemNotice error={signing.error} />}
      <TextInput
        label={texts.signatureLabel}
        description={texts.signatureHint}
        value={signature}
        onChange={(event) => onSigned(event.currentTarget.value)}
        autoComplete="off"
      />
      <Button variant="subtle" size="xs" onClick={onRenew}>
        {texts.newText}
      </Button>
    </Stack>
  )
}
