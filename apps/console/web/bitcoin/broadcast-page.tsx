import { Alert, Anchor, Button, Card, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { MAX_RAW_TRANSACTION_DIGITS } from '@trestle/contracts/btc-connect/sending'
import { Problem } from '@trestle/problem/problem'
import { type FormEvent, useReducer } from 'react'
import { Link } from 'react-router'
import { Hash } from '../parts/copy-button.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { EMPTY_BROADCAST, pastedDigits, reduceBroadcast } from './broadcast-form.js'
import { useBitcoinChain } from './chain.js'
import { ChainPage } from './chain-page.js'
import { refusalReason } from './refusal.js'

const texts = bitcoinTexts.broadcast

/** Sends a signed transaction to the network. */
export function BroadcastPage() {
  const { title: chainTitle } = useBitcoinChain()
  return (
    <ChainPage title={texts.title} description={texts.description(chainTitle)}>
      <Card withBorder>
        <BroadcastFields />
      </Card>
    </ChainPage>
  )
}

function BroadcastFields() {
  const { api } = useBitcoinChain()
  const [form, dispatch] = useReducer(reduceBroadcast, EMPTY_BROADCAST)
  const sending = useMutation({ mutationFn: (rawtx: string) => api.sending.send({ body: { rawtx } }) })
  function submit(event: FormEvent) {
    event.preventDefault()
    const submitted = { type: 'submitted', maxDigits: MAX_RAW_TRANSACTION_DIGITS } as const
    dispatch(submitted)
    if (!reduceBroadcast(form, submitted).mistake) sending.mutate(pastedDigits(form))
  }
  return (
    <form onSubmit={submit}>
      <Stack align="flex-start">
        <Textarea
          label={texts.raw}
          description={texts.rawHint}
          value={form.text}
          onChange={(event) => dispatch({ type: 'typed', text: event.currentTarget.value })}
          error={form.mistake && texts.mistakes[form.mistake]}
          rows={8}
          w="100%"
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: 'mono' }}
        />
        {sending.error && <Rejection error={sending.error} />}
        {sending.data && <Sent id={sending.data.txid} />}
        <Button type="submit" loading={sending.isPending}>
          {texts.submit}
        </Button>
      </Stack>
    </form>
  )
}

function Sent({ id }: { id: string }) {
  const { at } = useBitcoinChain()
  return (
    <Alert color="teal" title={texts.sent.title} role="status" w="100%">
      <Text>{texts.sent.text}</Text>
      <Hash value={id} />
      <br />
      <Anchor component={Link} to={at(`/tx/${id}`)}>
        {texts.sent.look}
      </Anchor>
    </Alert>
  )
}

/** The node's message, and what it means. */
export function Rejection({ error }: { error: unknown }) {
  if (!(error instanceof Problem) || error.code !== 'TransactionRefused') return <ProblemNotice error={error} />
  const refusal = refusalReason(error.detail)
  return (
    <Alert color="red" title={texts.refused.title} role="alert" w="100%">
      <Text>{refusal ? texts.refused.reasons[refusal] : texts.refused.unknown}</Text>
      <Text size="sm" mt="xs">
        {texts.refused.words} <span className="mono">{error.detail}</span>
      </Text>
    </Alert>
  )
}
