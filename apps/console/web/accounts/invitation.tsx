import { Anchor, Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Problem } from '@trestle/problem/problem'
import { Link, useNavigate, useParams } from 'react-router'
import { PageLoading } from '../parts/page-loading.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { platformClient } from '../platform/client.js'
import { useSession } from '../platform/use-session.js'
import { accountsTexts } from '../texts/accounts.js'
import { CenteredPage } from './centered-page.js'

const texts = accountsTexts.invitation

/** Where the link of an invitation leads. */
export default function Invitation() {
  const { token = '' } = useParams()
  const { data, error, refetch } = useSession()
  return (
    <CenteredPage title={texts.title}>
      {data && (data.signedIn ? <Accept token={token} /> : <SignInFirst token={token} />)}
      {!data && (error ? <ProblemNotice error={error} retry={refetch} /> : <PageLoading />)}
    </CenteredPage>
  )
}

function SignInFirst({ token }: { token: string }) {
  return (
    <>
      <Text>{texts.signedOut}</Text>
      <Button component={Link} to={signInTo(token)}>
        {texts.signIn}
      </Button>
      <Button component={Link} to={`/app/account/sign-up?${new URLSearchParams({ invitation: token })}`} variant="default">
        {texts.signUp}
      </Button>
    </>
  )
}

function Accept({ token }: { token: string }) {
  const me = useQuery({ queryKey: ['accounts', 'me'], queryFn: () => platformClient.accounts.users.me() })
  const navigate = useNavigate()
  const client = useQueryClient()
  const accepting = useMutation({
    mutationFn: () => platformClient.accounts.organizations.accept({ params: { token } }),
    onSuccess: async ({ name }) => {
      await client.invalidateQueries({ queryKey: ['accounts', 'organizations'] })
      notifications.show({ message: texts.joined(name) })
      await navigate('/app/organization', { replace: true })
    },
  })
  const code = accepting.error instanceof Problem ? accepting.error.code : undefined
  return (
    <>
      <Text mih={75}>{me.data && texts.signedIn(me.data.email)}</Text>
      {accepting.error && <ProblemNotice error={accepting.error} />}
      <Button onClick={() => accepting.mutate()} loading={accepting.isPending}>
        {texts.accept}
      </Button>
      {code === 'WrongRecipient' && (
        <Anchor component={Link} to={signInTo(token)} size="sm">
          {texts.other}
        </Anchor>
      )}
      <Anchor component={Link} to={code === 'AlreadyMember' ? '/app/organization' : '/app'} size="sm">
        {code === 'AlreadyMember' ? texts.organization : texts.home}
      </Anchor>
    </>
  )
}

function signInTo(token: string): string {
  return `/app/account/sign-in?${new URLSearchParams({ to: `/app/account/invitation/${token}` })}`
}
