import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Validator } from '@trestle/contracts/staking/validators'
import { useReducer } from 'react'
import { ConfirmButton } from '../parts/confirm-button.js'
import { Hash } from '../parts/copy-button.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { platformClient } from '../platform/client.js'
import { stakingTexts } from '../texts/staking.js'
import { EMPTY_EXIT, exitBody, exitText, reduceExit } from './exit-form.js'
import { depositNetwork } from './networks.js'
import { injectedWallet, signWith } from './wallet.client.js'

const texts = stakingTexts.exit

/** Asks for the whole key before it ends a validator, and for a signature where the platform requires one. */
export function ExitButton({ validator }: { validator: Validator }) {
  const { chain, pubkey, withdrawalAddress } = validator
  const client = useQueryClient()
  const [form, dispatch] = useReducer(reduceExit, EMPTY_EXIT)
  async function exit() {
    try {
      await platformClient.staking.validators.exit({ params: { chain, pubkey }, body: exitBody(form) })
    } catch (error) {
      dispatch({ type: 'refused', error, now: new Date() })
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
      {form.date !== undefined && (
        <Confirmation
          text={exitText(validator, form.date)}
          address={withdrawalAddress}
          signature={form.signature}
          onSigned={(signature) => dispatch({ type: 'signed', signature })}
          onRenew={() => dispatch({ type: 'renewed', now: new Date() })}
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
