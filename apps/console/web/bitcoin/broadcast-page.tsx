import { Alert, Anchor, Button, Card, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { MAX_RAW_TRANSACTION_DIGITS } from '@trestle/contracts/btc-connect/sending'
import { Problem } from '@trestle/problem/problem'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { Hash } from '../parts/copy-button.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { bitcoinTexts } from '../texts/bitcoin.js'
import { chains } from '../texts/chains.js'
import { useChain } from './chain.js'
import { ChainPage } from './chain-page.js'
import { rawMistake, refusalReason } from './refusal.js'

const texts = bitcoinTexts.broadcast

/** Gives a signed transaction to the network. */
export function BroadcastPage() {
  const { chain, api, at } = useChain()
  const [typed, setTyped] = useState('')
  const [mistake, setMistake] = useState<string>()
  const sending = useMutation({ mutationFn: (rawtx: string) => api.sending.send({ body: { rawtx } }) })
  function submit(event: FormEvent) {
    event.preventDefault()
    const raw = typed.replace(/\s+/g, '')
    const wrong = rawMistake(raw, MAX_RAW_TRANSACTION_DIGITS)
    setMistake(wrong && texts.mistakes[wrong])
    if (!wrong) sending.mutate(raw)
  }
  return (
    <ChainPage title={texts.title} description={texts.description(chains.names[chain] ?? chain)}>
      <Card withBorder>
        <form onSubmit={submit}>
          <Stack align="flex-start">
            <Textarea
              label={texts.raw}
              description={texts.rawHint}
              value={typed}
              onChange={(event) => {
                setTyped(event.currentTarget.value)
                setMistake(undefined)
              }}
              error={mistake}
              rows={8}
              w="100%"
              spellCheck={false}
              autoComplete="off"
              classNames={{ input: 'mono' }}
            />
            {sending.error && <Refused error={sending.error} />}
            {sending.data && (
              <Alert color="teal" title={texts.sent.title} role="status" w="100%">
                <Text>{texts.sent.text}</Text>
                <Hash value={sending.data.txid} />
                <br />
                <Anchor component={Link} to={at(`/tx/${sending.data.txid}`)}>
                  {texts.sent.look}
                </Anchor>
              </Alert>
            )}
            <Button type="submit" loading={sending.isPending}>
              {texts.submit}
            </Button>
          </Stack>
        </form>
      </Card>
    </ChainPage>
  )
}

/** The node's own words, and what they mean. */
function Refused({ error }: { error: unknown }) {
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
