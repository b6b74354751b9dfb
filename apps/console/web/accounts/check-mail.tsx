import { Anchor, Button, Stack, Text } from '@mantine/core'
import { IconMailOpened } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { platformClient } from '../platform/client.js'
import { accountsTexts } from '../texts/accounts.js'
import { CenteredPage } from './centered-page.js'

const texts = accountsTexts.mail

/** Shown after an email was sent: what it contains, and what to do if it does not arrive. */
export default function CheckMailPage() {
  const [query] = useSearchParams()
  const reason = reasonOf(query.get('for'))
  const email = query.get('email') ?? ''
  const again = reason === 'reset' ? '/app/account/forgot' : '/app/account/sign-up'
  return (
    <CenteredPage title={texts.title}>
      <Text>{texts.sent[reason](email || texts.yourAddress)}</Text>
      <Mailbox email={email} />
      <Text c="dimmed" size="sm">
        {texts.nothing}{' '}
        <Anchor component={Link} to={`${again}?${new URLSearchParams({ email })}`} inherit underline="always">
          {texts.again[reason]}
        </Anchor>
      </Text>
      <Anchor component={Link} to="/app/account/sign-in" size="sm">
        {texts.signIn}
      </Anchor>
    </CenteredPage>
  )
}

/** The way into the mailbox of a development machine; elsewhere there is none. */
function Mailbox({ email }: { email: string }) {
  const query = { ...(email && { to: email }) }
  const { isSuccess } = useQuery({
    queryKey: ['accounts', 'mailbox', email],
    queryFn: () => platformClient.accounts.mailbox.list({ query: { ...query, limit: '1' } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!isSuccess) return null
  return (
    <Stack gap={4}>
      <Button
        component="a"
        href={`/accounts/dev/mailbox?${new URLSearchParams(query)}`}
        target="_blank"
        variant="light"
        leftSection={<IconMailOpened size={18} aria-hidden />}
      >
        {texts.mailbox}
      </Button>
      <Text size="xs" c="dimmed">
        {texts.mailboxHint}
      </Text>
    </Stack>
  )
}

function reasonOf(given: string | null): keyof typeof texts.sent {
  return given === 'reset' || given === 'unverified' ? given : 'signUp'
}
