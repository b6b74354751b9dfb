import { Anchor, Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Problem } from '@trestle/problem/problem'
import { Link, useNavigate, useParams } from 'react-router'
import { ProblemNotice } from '../parts/problem-notice.js'
import { platformClient } from '../platform/client.js'
import { accountsTexts } from '../texts/accounts.js'
import { CenteredPage } from './centered-page.js'

const texts = accountsTexts.verify

/** The verification link leads here. It takes a click, because mail scanners open links, too. */
export default function Verify() {
  const { userId = '', token = '' } = useParams()
  const navigate = useNavigate()
  const verifying = useMutation({
    mutationFn: async () => {
      const email = await verify(userId, token)
      await navigate(`/app/account/sign-in?${new URLSearchParams({ verified: '1', ...(email && { email }) })}`, { replace: true })
    },
  })
  return (
    <CenteredPage title={texts.title}>
      <Text>{texts.text}</Text>
      {verifying.error && <ProblemNotice error={verifying.error} />}
      <Button onClick={() => verifying.mutate()} loading={verifying.isPending}>
        {texts.submit}
      </Button>
      {verifying.error && (
        <Anchor component={Link} to="/app/account/sign-up" size="sm">
          {texts.again}
        </Anchor>
      )}
    </CenteredPage>
  )
}

/** The verified address; undefined for a link used before, so that it reveals nothing. */
async function verify(userId: string, token: string): Promise<string | undefined> {
  try {
    return (await platformClient.accounts.users.verify({ params: { userId, token } })).email
  } catch (error) {
    if (error instanceof Problem && error.code === 'UserVerified') return undefined
    throw error
  }
}
