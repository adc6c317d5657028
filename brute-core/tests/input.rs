//! An input is a message that is not recorded yet, or nothing.

use std::sync::Arc;

use brute_core::{Input, Media, MediaSource, Message, MessageId, Part, Role};

#[test]
fn text_becomes_a_message_of_the_user() {
    for input in [Input::from("hi"), "hi".to_owned().into(), (&"hi".to_owned()).into()] {
        let message = input.message().unwrap();
        assert_eq!((message.role, message.text().as_str()), (Role::User, "hi"));
    }
}

#[test]
fn no_input_is_empty_and_an_empty_text_is_not() {
    assert!(Input::none().is_empty() && Input::default().is_empty());
    assert!(!Input::from("").is_empty());
    assert_eq!(Input::none().text(), "");
}

#[test]
fn a_message_is_taken_as_it_is() {
    let message = Arc::new(Message::developer("note"));
    let mut input = Input::from(message.clone());
    assert!(Arc::ptr_eq(input.message().unwrap(), &message));
    assert!(Arc::ptr_eq(&input.take().unwrap(), &message));
    assert!(input.is_empty());
}

#[test]
fn changed_parts_belong_to_this_input_only_and_the_message_keeps_its_id() {
    let mut message = Message::user("hi");
    message.id = MessageId(7);
    let mut input = Input::from(message);
    let kept = input.clone();
    input.parts_mut().push(Part::generated(" there"));
    assert_eq!(input.text(), "hi there");
    assert_eq!(input.message().unwrap().id, MessageId(7));
    assert_eq!(kept.text(), "hi");
}

#[test]
fn media_can_stand_alone() {
    let media = Media { mime: "image/png".into(), source: MediaSource::Url("a.png".into()) };
    let input = Input::none().with_media(media.clone());
    let message = input.message().unwrap();
    assert_eq!((message.role, &message.parts), (Role::User, &vec![Part::Media(media)]));
}
