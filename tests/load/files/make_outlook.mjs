// Writes outlook-2.msg with @tutao/oxmsg 0.2.3 (MIT, npm): a reply above the message that it answers, and a file.
import { Attachment, Email } from "@tutao/oxmsg"
import fs from "fs"

const text = `Hello all,

the retention period is 90 days.

________________________________
From: Bo Berg <bo@example.org>
Sent: Monday, March 4, 2024 10:00
To: Ann Lee
Subject: Retention

It was 30 days.
`
const email = new Email(false, false)
  .subject("RE: Retention")
  .sender("ann@example.org", "Ann Lee")
  .to("bo@example.org", "Bo Berg")
  .sentOn(new Date("2024-03-05T08:15:00Z"))
  .bodyText(text.replaceAll("\n", "\r\n"))
email.attach(new Attachment(new TextEncoder().encode("# Fees\n\nThe fee is 20 EUR.\n"), "fees.md"))
fs.writeFileSync(new URL("outlook-2.msg", import.meta.url), email.msg())
