//! What is not sent changes no prefix.

use async_trait::async_trait;
use brute_core::{
    Effect, Error, Log, Message, MessageId, Origin, Part, Role, StopReason, Text, Tool,
    ToolContext, ToolOutput, ToolResult, ToolSpec, Toolbox, Usage,
};
use serde_json::{Value, json};

use crate::helpers::told;

struct Peek(ToolSpec);

#[async_trait]
impl Tool for Peek {
    fn spec(&self) -> ToolSpec {
        self.0.clone()
    }

    async fn call(&self, _: &Value, _: &ToolContext) -> Result<ToolOutput, Error> {
        Ok("seen".into())
    }
}

/// Offers a tool before and after a change, and returns what was told.
async fn of_tools(description: &'static str, schema: Value, effect: Effect) -> Vec<String> {
    let tool = |description, schema, effect| {
        let spec = ToolSpec::new("peek", description).parameters(schema).effect(effect);
        Toolbox::default().with(Peek(spec)).unwrap()
    };
    let log: Log = [Message::user("hi")].into_iter().collect();
    let before = tool("Peeks.", json!({ "type": "object" }), Effect::ReadOnly);
    told([(log.clone(), before), (log, tool(description, schema, effect))]).await
}

#[tokio::test]
async fn of_a_tool_only_name_description_and_parameters_count() {
    let schema = || json!({ "type": "object" });
    let nothing = Vec::<String>::new();
    for effect in [Effect::ReadOnly, Effect::Idempotent, Effect::Writes] {
        assert_eq!(of_tools("Peeks.", schema(), effect).await, nothing);
    }
    let changed = ["tool peek changed"];
    assert_eq!(of_tools("Peeks twice.", schema(), Effect::ReadOnly).await, changed);
    let other = json!({ "type": "object", "properties": {} });
    assert_eq!(of_tools("Peeks.", other, Effect::ReadOnly).await, changed);
}

#[tokio::test]
async fn what_a_session_keeps_beside_a_message_does_not_count() {
    let said = |origin, result: fn(&mut ToolResult), id, usage, stop| {
        let text = |origin| Part::Text(Text { text: "hi".into(), origin, native: None });
        let mut seen = ToolResult::ok("call", "seen");
        result(&mut seen);
        let answer = Message { id: MessageId(id), usage, stop, ..Message::assistant("Yes.") };
        let log = [
            Message::new(Role::System, vec![text(origin)]),
            Message::new(Role::User, vec![text(origin)]),
            Message::new(Role::Tool, vec![Part::ToolResult(seen)]),
            answer,
        ];
        (log.into_iter().collect::<Log>(), Toolbox::default())
    };
    let before = || said(Origin::Authored, |_| {}, 3, None, None);
    let pinned = |result: &mut ToolResult| (result.pinned, result.truncated) = (true, true);
    let usage = Some(Usage::default());
    let now = said(Origin::Generated, pinned, 7, usage, Some(StopReason::EndTurn));
    assert_eq!(told([before(), now]).await, Vec::<String>::new());
    let failed = said(Origin::Authored, |result| result.is_error = true, 3, None, None);
    assert_eq!(told([before(), failed]).await, ["message 2 (Tool) changed"]);
}
