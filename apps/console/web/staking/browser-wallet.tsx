import { Alert, Button, Stack, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { Hash } from '../parts/copy-button.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { stakingTexts } from '../texts/staking.js'
import type { DepositTransaction } from './transaction.js'
import { injectedWallet, sendWith } from './wallet.client.js'

const texts = stakingTexts.wallet

/** Sends the deposit with this browser's wallet, on click only. Remembers what was sent, so that it is not sent twice. */
export function BrowserWallet({ pubkey, transaction }: { pubkey: string; transaction: DepositTransaction }) {
  const [sent, setSent, forget] = useLocalStorage<string | undefined>({ key: `trestle.deposit.${pubkey}`, getInitialValueInEffect: false })
  const wallet = injectedWallet()
  const sending = useMutation({
    mutationFn: async () => wallet && setSent(await sendWith(wallet, transaction)),
  })
  if (sent)
    return (
      <Alert color="teal" variant="light" title={texts.sent} role="status" w="100%">
        <Stack gap="xs" align="flex-start">
          <Text component="div" size="sm">
            {texts.hash}: <Hash value={sent} />
          </Text>
          <Button size="compact-xs" variant="subtle" onClick={forget}>
            {texts.again}
          </Button>
        </Stack>
      </Alert>
    )
  if (!wallet)
    return (
      <Text size="sm" c="dimmed">
        {texts.none}
      </Text>
    )
  return (
    <Stack w="100%" align="flex-start">
      <Button onClick={() => sending.mutate()} loading={sending.isPending}>
        {texts.send}
      </Button>
      {sending.error && <ProblemNotice error={sending.error} />}
    </Stack>
  )
}
